// Changes over HTTP, as server-sent events (docs/behaviour.md, Overview: changes as they happen).

import type { Handlers } from '../../api/route.ts';
import type { Clock, Now } from '../../platform/clock.ts';
import type { ChangeFeed } from '../change-feed.ts';
import { Streams } from './streams.ts';

/** What is sent as it comes: no proxy gathers it first (nginx), and nothing keeps it. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

export interface ChangesOptions {
  /** How often a stream says that it lives, in ms. */
  readonly beatEveryMs: number;
  /** How long one message waits for the next, in ms. */
  readonly tellEveryMs: number;
  readonly onFault: (error: unknown) => void;
}

/** The handlers, and what ends all streams: a server that leaves does not wait for them. */
export function openChanges(
  { now, clock }: Now & { readonly clock: Clock },
  { changes }: { readonly changes: ChangeFeed },
  options: ChangesOptions,
): { readonly handlers: Handlers<'changes'>; readonly end: () => Promise<void> } {
  const streams = new Streams({ feed: changes, now, clock, ...options });
  return {
    handlers: {
      'changes.follow': async ({ request, reply, read, viewer, principal }) => {
        read.authorize('changes.read');
        const lastEventId = request.headers['last-event-id'] as string | undefined;
        const stays = request.method === 'GET' && (request.headers.accept ?? '').includes('text/event-stream');
        const content = stays
          ? await streams.open(viewer, principal, lastEventId)
          : await streams.once(read, lastEventId);
        reply.headers(HEADERS).send(content);
      },
    },
    end: () => streams.end(),
  };
}
