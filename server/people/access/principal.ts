// Who acts: somebody in a session, or a job on behalf of a named person. Acts take a principal and know nothing of HTTP.
import { refuse } from '#contract/errors.ts';
import type { Action } from '#contract/policy/rights.ts';
import type { ReadScope, Scopes, WriteScope } from './scope.ts';
import type { Viewer } from './viewer.ts';

export interface Principal {
  /** Reads with the current rights. Refuses `unauthenticated` where the session has ended or the person was deleted. */
  read(): Promise<ReadScope>;
  /** One transaction in which the principal does `action`, with the current rights, all or nothing. */
  change<Result>(action: Action, work: (scope: WriteScope) => Promise<Result>): Promise<Result>;
}

/** A job's principal: the person with `userId`, with the rights the person has at each read or change. */
export function actingFor(
  userId: number,
  { scopes, findPerson }: { readonly scopes: Scopes; readonly findPerson: (id: number) => Promise<Viewer | null> },
): Principal {
  /** Who it is, once that was read: a transaction reads their rights by itself. */
  let known: Viewer | undefined;
  const person = async () => {
    const viewer = await findPerson(userId);
    if (viewer === null) throw refuse('unauthenticated');
    known = viewer;
    return viewer;
  };
  return {
    read: async () => scopes.read(await person()),
    change: async (action, work) => scopes.change(known ?? (await person()), action, work),
  };
}
