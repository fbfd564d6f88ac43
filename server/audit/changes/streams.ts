// The open streams of one process: who listens, how far each has heard, and who is told what.

import { Readable } from 'node:stream';
import { type ChangeEventName, LAST_EVENT_ID_MAX } from '#contract/changes.ts';
import { refuse } from '#contract/errors.ts';
import { sessionOf } from '../../people/access/credential.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { callerOf, type Viewer } from '../../people/access/viewer.ts';
import type { Clock } from '../../platform/clock.ts';
import { CHANGES_KEPT_MS, type ChangeFeed } from '../change-feed.ts';
import { changesBetween, type Heard } from './changes.repo.ts';

/** A browser has one; another may still be closing. */
const STREAMS_A_SESSION = 4;
/** Somebody may be signed in at many places; others still find their places. */
const STREAMS_A_PERSON = 20;
const STREAMS_A_PROCESS = 2_000;
/** What changed longer ago may be forgotten before it is read. */
const RESUMED_WITHIN_MS = CHANGES_KEPT_MS / 2;

interface Known {
  readonly feed: ChangeFeed;
  readonly now: () => number;
  readonly clock: Clock;
  /** So often a stream says that it lives, and its session is looked at: below what proxies wait. */
  readonly beatEveryMs: number;
  /** Changes that come together are told together. */
  readonly tellEveryMs: number;
  readonly onFault: (error: unknown) => void;
}

const usedAtOf = (viewer: Viewer) => sessionOf(viewer).usedAt ?? 0;

/** What decides which rows somebody reaches, besides the access lists. */
const rightsOf = ({ roleId, reach, allClients, capabilities }: Viewer) =>
  [roleId, reach, allClients, ...[...capabilities].sort()].join();

function message(event: ChangeEventName, id: string, data: unknown = ''): string {
  return `event: ${event}\nid: ${id}\ndata: ${data === '' ? '' : JSON.stringify(data)}\n\n`;
}

/** The place in the order of changes that a `Last-Event-ID` names; null where it names none that is still known. */
function placeOf(lastEventId: string, upto: number, now: number): number | null {
  const [, place, at] = (lastEventId.length <= LAST_EVENT_ID_MAX && /^(\d{1,15})-(\d{1,15})$/.exec(lastEventId)) || [];
  if (place === undefined || at === undefined) return null;
  // A restored backup has fewer changes than were told.
  const isKnown = Number(place) <= upto && Math.abs(now - Number(at)) < RESUMED_WITHIN_MS;
  return isKnown ? Number(place) : null;
}

/** One listener: never more than one message waits for a reader who does not read; meanwhile nothing is asked for them. */
class Stream {
  readonly content: Readable;
  readonly sessionId: number;
  readonly personId: number;
  readonly #principal: Principal;
  readonly #now: () => number;
  #rights: string;
  /** When the session was last used, as far as the listener has heard. */
  #usedAt: number;
  #isFull = false;
  #isOver = false;
  /** How far the listener has heard. */
  place: number;

  constructor(viewer: Viewer, principal: Principal, place: number, now: () => number, onFree: () => void) {
    this.sessionId = sessionOf(viewer).sessionId;
    this.personId = callerOf(viewer).id;
    this.#rights = rightsOf(viewer);
    this.#usedAt = usedAtOf(viewer);
    this.#principal = principal;
    this.#now = now;
    this.place = place;
    this.content = new Readable({
      highWaterMark: 1,
      read: () => {
        if (!this.#isFull) return;
        this.#isFull = false;
        onFree();
      },
    });
  }

  get listens(): boolean {
    return !this.#isFull && !this.#isOver && !this.content.destroyed;
  }

  #push(text: string): void {
    this.#isFull = !this.content.push(text);
  }

  say(event: ChangeEventName, data?: Told): void {
    this.#push(message(event, `${this.place}-${this.#now()}`, data));
  }

  end(): void {
    if (this.#isOver || this.content.destroyed) return;
    this.#isOver = true;
    this.content.push(null);
  }

  /** The listener as of now; null where the session is over, or may no longer listen. */
  async #reader(): Promise<ReadScope | null> {
    try {
      return await this.#principal.read();
    } catch {
      // Also where the database is away: the browser comes back by itself.
      return null;
    }
  }

  /** Says what changed before `upto`, to the listener that is there now and with the rights of now. */
  async tell(upto: number): Promise<void> {
    const reader = await this.#reader();
    if (reader === null) return this.end();
    const rights = rightsOf(reader.viewer);
    const heard: Heard = rights === this.#rights ? await changesBetween(reader, this.place, upto) : 'reset';
    if (!this.listens) return;
    this.#rights = rights;
    this.place = upto;
    if (heard === 'reset') this.say('reset');
    else if (heard !== null) this.say('change', heard);
  }

  /** Says that the stream lives, or that the session was used since: a page does not know of a download that goes on. */
  async beat(): Promise<void> {
    const reader = await this.#reader();
    if (reader === null) return this.end();
    if (!this.listens) return;
    const usedAt = usedAtOf(reader.viewer);
    if (usedAt <= this.#usedAt) return this.#push(':\n\n');
    this.#usedAt = usedAt;
    this.say('used');
  }
}

type Told = Exclude<Heard, 'reset' | null>;

export class Streams {
  readonly #known: Known;
  readonly #open = new Set<Stream>();
  #stopWatching: (() => Promise<void>) | null = null;
  #stopBeats: (() => void) | undefined;
  #stopNext: (() => void) | undefined;
  #telling = false;
  #again = false;
  #isOver = false;

  constructor(known: Known) {
    this.#known = known;
  }

  /** What has changed since `lastEventId`, and no more. */
  async once(read: ReadScope, lastEventId: string | undefined): Promise<string> {
    const { feed, now } = this.#known;
    const { upto } = await feed.known(0);
    const id = `${upto}-${now()}`;
    if (lastEventId === undefined) return message('ready', id);
    const place = placeOf(lastEventId, upto, now());
    const heard = place === null ? 'reset' : await changesBetween(read, place, upto);
    if (heard === null) return message('ready', id);
    return heard === 'reset' ? message('reset', id) : message('change', id, heard);
  }

  /**
   * A stream of what changes from now on, or from `lastEventId` on. Refuses `too_many` where the session or the person has as many as they may, and
   * `busy` where the process has.
   */
  async open(viewer: Viewer, principal: Principal, lastEventId: string | undefined): Promise<Readable> {
    const { feed, now } = this.#known;
    const { upto } = await feed.known(0);
    const ofSession = [...this.#open].filter(({ sessionId }) => sessionId === sessionOf(viewer).sessionId);
    if (ofSession.length >= STREAMS_A_SESSION) throw refuse('too_many');
    const ofPerson = [...this.#open].filter(({ personId }) => personId === callerOf(viewer).id);
    if (ofPerson.length >= STREAMS_A_PERSON) throw refuse('too_many');
    if (this.#open.size >= STREAMS_A_PROCESS) throw refuse('busy');
    const place = lastEventId === undefined ? upto : placeOf(lastEventId, upto, now());
    const stream = new Stream(viewer, principal, place ?? upto, now, () => this.#wake());
    this.#add(stream);
    stream.say(place === null ? 'reset' : 'ready');
    if (this.#isOver) stream.end();
    else this.#wake();
    return stream.content;
  }

  /** Ends every stream, and every later one after its first message. */
  async end(): Promise<void> {
    this.#isOver = true;
    for (const stream of this.#open) stream.end();
    await this.#stop();
  }

  #add(stream: Stream): void {
    this.#open.add(stream);
    stream.content.once('close', () => {
      this.#open.delete(stream);
      if (this.#open.size === 0) void this.#stop();
    });
    if (this.#stopWatching !== null || this.#isOver) return;
    this.#stopWatching = this.#known.feed.watch(() => this.#wake());
    this.#stopBeats = this.#known.clock.every(this.#known.beatEveryMs, () => void this.#beat());
  }

  async #stop(): Promise<void> {
    this.#stopBeats?.();
    // A pause that is cut short is over; what is being told ends by itself.
    if (this.#stopNext !== undefined) this.#telling = false;
    this.#stopNext?.();
    this.#stopNext = undefined;
    const stop = this.#stopWatching;
    this.#stopWatching = null;
    await stop?.();
  }

  /** Tells soon what changed: at once where nothing was told lately. */
  #wake(): void {
    this.#again = true;
    if (this.#telling || this.#stopNext !== undefined || this.#isOver) return;
    this.#stopNext = this.#known.clock.after(0, () => {
      this.#stopNext = undefined;
      void this.#tellAll();
    });
  }

  async #tellAll(): Promise<void> {
    this.#telling = true;
    this.#again = false;
    try {
      if (await this.#tellListening()) this.#again = true;
    } catch (error) {
      this.#known.onFault(error);
    }
    this.#stopNext = this.#known.clock.after(this.#known.tellEveryMs, () => {
      this.#stopNext = undefined;
      this.#telling = false;
      if (this.#again && this.#open.size > 0) void this.#tellAll();
    });
  }

  /** Whether there is more to tell that is not known whole yet. Asks one thing for all, and for each one only where something changed. */
  async #tellListening(): Promise<boolean> {
    const listening = [...this.#open].filter(({ listens }) => listens);
    if (listening.length === 0) return false;
    const lowest = Math.min(...listening.map(({ place }) => place));
    const { upto, some, more } = await this.#known.feed.known(lowest);
    for (const stream of listening) {
      if (stream.place >= upto || !stream.listens) continue;
      if (some) await stream.tell(upto);
      else stream.place = upto;
    }
    return more;
  }

  async #beat(): Promise<void> {
    for (const stream of [...this.#open]) await stream.beat();
  }
}
