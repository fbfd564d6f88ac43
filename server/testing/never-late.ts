// Loaded into a server that is a process of its own, before its own code: its event loop is never found late, since a pause of the
// machine would answer 503 to whoever asks just then. That a late loop refuses requests is tested in the tests' own process.

import { syncBuiltinESMExports } from 'node:module';
import perfHooks from 'node:perf_hooks';

const { monitorEventLoopDelay } = perfHooks;

Object.assign(perfHooks, {
  monitorEventLoopDelay: (...given: Parameters<typeof monitorEventLoopDelay>) =>
    Object.defineProperty(monitorEventLoopDelay(...given), 'mean', { value: 0 }),
});
syncBuiltinESMExports();
