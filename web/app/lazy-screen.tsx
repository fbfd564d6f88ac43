// A screen whose code is loaded when it is first needed, and again where that failed.

import { type ComponentType, type FunctionComponent, use } from 'react';
import { getConnection } from '#web/lib/connection.ts';
import { serverAnswers } from '#web/lib/server-answers.ts';

/** The code of a page could not be had: the portal was updated since this tab was opened, or the network is away. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  constructor(cause: unknown) {
    super('This page could not be loaded.', { cause });
  }
}

/** Each browser words it in its own way when code cannot be fetched. */
const LOST = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** Whether `error` means that code could not be loaded, and not that the code has a fault. */
export function isChunkLoadError(error: unknown): boolean {
  return error instanceof ChunkLoadError || (error instanceof Error && LOST.test(error.message));
}

/**
 * Chromium remembers that a module could not be had and does not ask again until the page is loaded anew, so nothing is asked for
 * while the server is away. Throws ChunkLoadError.
 */
async function assertReachable(): Promise<void> {
  if (navigator.onLine && getConnection() === 'online') return;
  if (!(await serverAnswers())) throw new ChunkLoadError('The server does not answer');
}

export interface LazyScreen<Props extends object> {
  /** Fetches the code once, and once more after a failure. Throws ChunkLoadError. */
  load: () => Promise<void>;
  /** Preloads the code: a failure is ignored. */
  preload: () => Promise<void>;
  Screen: FunctionComponent<Props>;
}

/** `fetchCode` loads the component of a screen; `Screen` renders it, waiting where it is shown before it is loaded. */
export function lazyScreen<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>): LazyScreen<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let fault: unknown;
  let loading: Promise<void> | undefined;

  const load = () => {
    loading ??= assertReachable()
      .then(fetchCode)
      .then((component) => {
        Loaded = component;
        fault = undefined;
      })
      .catch((cause: unknown) => {
        fault = isChunkLoadError(cause) ? new ChunkLoadError(cause) : cause;
        loading = undefined;
        throw fault;
      });
    return loading;
  };

  const preload = () =>
    load().catch(() => {
      fault = undefined;
    });

  function Screen(props: Props) {
    if (Loaded === undefined) {
      // Only the router retries: a render that did would fail and retry for ever.
      if (fault !== undefined) throw fault;
      use(load());
    }
    return Loaded ? <Loaded {...props} /> : null;
  }

  return { load, preload, Screen };
}
