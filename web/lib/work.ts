// Work that somebody has begun and that goes on without a key or a press, such as a file on its way: it is use of the session too.
import { newListeners } from './listeners.ts';

const work = newListeners();

/** The work goes on. */
export const noticeWork = work.tell;

/** Calls `listener` whenever work goes on; the answer stops it. */
export const onWork = work.add;
