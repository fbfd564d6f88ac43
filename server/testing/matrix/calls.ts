// One row's call in the table of rights, and the shapes that most of them have.
import { expect } from 'vitest';
import type { Answer, Caller } from '../test-app.ts';
import type { ViewerName } from './viewers.ts';

/** One row's call, as `by`; `id` is what it is about. */
export interface Attempt {
  /** Makes, or names, what the call of this viewer is about. A call that changes it gets one of its own. */
  readonly target?: (viewer: ViewerName) => number | Promise<number>;
  readonly call: (by: Caller, id: number, viewer: ViewerName) => Promise<Answer>;
}

/** The calls of a file, by their rows. */
export type Attempts = Readonly<Record<string, Attempt>>;

export const NONE_THERE = 999_999;
export const noneThere = () => NONE_THERE;

export const get =
  (path: string): Attempt['call'] =>
  (by, id) =>
    by.get(path.replace('{id}', String(id)));
export const remove =
  (path: string): Attempt['call'] =>
  (by, id) =>
    by.delete(path.replace('{id}', String(id)));
export const post =
  (path: string): Attempt['call'] =>
  (by, id) =>
    by.post(path.replace('{id}', String(id)));

/** The bytes of a file by GET, with HEAD and a range answering alike. */
export const bytes =
  (path: string): Attempt['call'] =>
  async (by, id) => {
    const address = path.replace('{id}', String(id));
    const answer = await by.get(address);
    const head = await by.send('HEAD', address);
    const part = await by.fetch(address, { headers: { range: 'bytes=1-2' } });
    await part.arrayBuffer();
    expect([head.status, part.status]).toEqual([answer.status, answer.status === 200 ? 206 : answer.status]);
    return answer;
  };
