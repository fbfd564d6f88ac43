// The stream of changes: one connection a browser, held by one of its tabs, which passes on to the others what it hears.
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ChangeMessage } from '#contract/changes.ts';
import { openChanges } from './api.ts';
import { isLookTab, noticeUse, sessionRenewed } from './session.ts';

/** The lock of the tab that holds the connection, and the channel on which it tells the others; a look hears for itself alone. */
const NAME = `coffer-changes${isLookTab ? `-${Math.random()}` : ''}`;
/** The server says at least every 20 seconds that it lives. */
const SILENT_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** The session is over, or may do nothing now: whatever changes that begins anew. */
const REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** What changed; 'reset' where that is not known: it may be everything. */
export type News = ChangeMessage | 'reset';

function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, timeMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Reads one connection until it ends. Answers false where the server refused it for good. */
async function readOnce(
  lastEventId: string | undefined,
  onMessage: (message: EventSourceMessage) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENT_MS);
  try {
    const response = await openChanges(lastEventId, AbortSignal.any([signal, silence.signal]));
    if (!response.ok || response.body === null) return !REFUSED.has(response.status);
    const parser = createParser({ onEvent: onMessage });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let heardAt = Date.now();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      // The device slept, and no timer ran: what has come meanwhile is old, and another connection tells what holds now.
      if (Date.now() - heardAt > SILENT_MS) {
        silence.abort();
        return true;
      }
      heardAt = Date.now();
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENT_MS);
      parser.feed(part.value);
    }
    return true;
  } finally {
    clearTimeout(timer);
  }
}

/** What one tab tells the others, so that whichever holds the connection next goes on from there. */
interface Passed {
  readonly news: News | null;
  readonly lastEventId: string | undefined;
  /** Whether the connection holds. */
  readonly live: boolean;
}

/** A tab that is new asks how it stands. */
const ASK = 'how does it stand?';

let live = false;

/** Whether what changes is told: if not, whoever must know asks for it. */
export const isToldOfChanges = () => live;

/** Holds the connection: opens it again where it ends, later each time that nothing came of it. `from` is what was heard last. */
async function hold(from: string | undefined, pass: (passed: Passed) => void, signal: AbortSignal): Promise<void> {
  let lastEventId = from;
  let pauseMs = FIRST_PAUSE_MS;
  const hear = ({ event, id, data }: EventSourceMessage) => {
    lastEventId = id ?? lastEventId;
    pauseMs = FIRST_PAUSE_MS;
    // By what no page knows of: a file that is on its way to the browser for long.
    if (event === 'used') noticeUse();
    const news = event === 'change' ? (JSON.parse(data) as ChangeMessage) : event === 'reset' ? event : null;
    pass({ news, lastEventId, live: true });
  };
  for (;;) {
    await sessionRenewed();
    if (signal.aborted) return;
    // Without a connection everything is as it was before: lists are loaded when they are opened.
    const goesOn = await readOnce(lastEventId, hear, signal).catch(() => true);
    pass({ news: null, lastEventId, live: false });
    if (!goesOn) return;
    // Not all browsers at once, when a server comes back.
    await pause(pauseMs * (0.5 + Math.random()), signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/**
 * Tells `onNews` what changes for the person who is signed in, until it is stopped by what it answers; and `onLive` whenever it
 * begins or ceases to be told. A browser that knows no locks (a page without HTTPS) is told nothing.
 */
export function followChanges(onNews: (news: News) => void, onLive: () => void): () => void {
  if (navigator.locks === undefined) return () => {};
  const stopper = new AbortController();
  const channel = new BroadcastChannel(NAME);
  let heard: string | undefined;
  let holds = false;
  const setLive = (next: boolean) => {
    if (live === next) return;
    live = next;
    onLive();
  };
  const hear = (passed: Passed) => {
    heard = passed.lastEventId;
    if (passed.news !== null) onNews(passed.news);
    setLive(passed.live);
  };
  channel.onmessage = ({ data }: MessageEvent<Passed | typeof ASK>) => {
    if (data !== ASK) hear(data);
    else if (holds) channel.postMessage({ news: null, lastEventId: heard, live } satisfies Passed);
  };
  channel.postMessage(ASK);
  const pass = (passed: Passed) => {
    if (stopper.signal.aborted) return;
    channel.postMessage(passed);
    hear(passed);
  };
  const holdNow = () => {
    holds = true;
    return hold(heard, pass, stopper.signal);
  };
  navigator.locks.request(NAME, { signal: stopper.signal }, holdNow).catch(() => {});
  return () => {
    stopper.abort();
    channel.close();
    live = false;
  };
}
