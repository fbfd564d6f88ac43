// Holds over HTTP: read by staff, put and lifted by who may, each in the log.

import { heldDetails, holdLiftedDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { HoldRow } from '#contract/holds.ts';
import type { Handlers } from '../../api/route.ts';
import { record } from '../../audit/record.ts';
import type { Now } from '../../platform/clock.ts';
import { findHeldItem, insertHold, listHolds, markLifted, readHold } from './holds.repo.ts';

/** Whom and what an entry is about. */
const about = ({ kind, itemId, name, clientId, clientName }: Omit<HoldRow, 'reason'>) => ({
  client: { id: clientId, name: clientName },
  ...(kind === 'file' ? { file: { id: itemId, name } } : {}),
});

export function holdRoutes({ now }: Now): Handlers<'holds'> {
  return {
    'holds.list': ({ read, input }) => {
      read.authorize('holds.read');
      return listHolds(read, input.query);
    },

    'holds.place': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('holds.manage');
        const { kind, id: itemId, reason } = input.body;
        const at = now();
        const item = await findHeldItem(scope, kind, itemId, at);
        const { name, clientId, clientName } = item;
        const hold = await readHold(
          scope,
          await insertHold(scope, proof, { kind, itemId, name, clientId, clientName, reason }, at),
        );
        const { client, ...entry } = { action: 'update' as const, ...about(hold) };
        // The reason belongs to no client: its people may read the client's log.
        await record(scope, proof, { ...entry, details: heldDetails(kind, name, reason) }, at);
        await record(scope, proof, { ...entry, client, details: heldDetails(kind, name) }, at);
        return hold;
      }),

    'holds.lift': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('holds.manage');
        const hold = await readHold(scope, input.params.id);
        if (hold.liftedAt !== null) throw refuse('hold_lifted');
        const at = now();
        await markLifted(scope, proof, hold.id, at);
        const details = holdLiftedDetails(hold.kind, hold.name);
        await record(scope, proof, { action: 'update', details, ...about(hold) }, at);
      }),
  };
}
