// What tests load into a server that they start as a process, before its own code: arguments of `node`.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (name: string) => ['--import', pathToFileURL(resolve(import.meta.dirname, `${name}.ts`)).href];

/** For every server of a test. */
export const NEVER_LATE = load('never-late');
/** For those whose background work is waited for. */
export const LOOK_ROUND_SOON = load('look-round-soon');
/** For those that read file after file on a machine that tests keep busy. */
export const BUSY_MACHINE = load('busy-machine');
/** For those whose sign-ins may cost nothing. */
export const CHEAP_HASHES = load('cheap-hashes');
/** For one that is to fail as no program should. */
export const THROW_WHEN_TOLD = load('throw-when-told');
/** For one whose end is to take longer than it may: that time is over at SIGWINCH. */
export const HALF_A_MINUTE_WHEN_TOLD = load('half-a-minute-when-told');
/** For one whose start is to stand still, before the first Admin is made, until it gets SIGUSR2. */
export const HELD_HASHES = load('held-hashes');
