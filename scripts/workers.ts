// How many processes test at once, from the cores of the machine.
import { availableParallelism } from 'node:os';

const cores = availableParallelism();

/** One more than cores: some files wait for clocks and other processes. */
export const UNIT_WORKERS = cores + 1;

/** Each has a server and a browser beside it, which keep its core busy while it waits for them. */
export const BROWSER_WORKERS = cores;
