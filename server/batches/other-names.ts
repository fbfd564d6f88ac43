// Another name of a client, added by itself: by a reviewer who keeps clients, or by whoever accepts what a reviewer suggested.
import { ClientInput } from '#contract/clients.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import { searchForm } from '#contract/search.ts';
import { otherNameColumns } from '../firm/names/other-names.ts';
import type { WriteScope } from '../people/access/scope.ts';
import { changedNow } from '../people/access/versions.ts';
import { forgetSuggested, wordsKey } from './suggested-rows.ts';

/** Adds a name to a client in reach; answers the client's own, and whether it was new. Refuses one too many as a fault of `field`. */
export async function addOtherName(
  scope: WriteScope,
  proof: Proof<'clients.update'>,
  clientId: number,
  otherName: string,
  { at, field }: { readonly at: number; readonly field: string },
): Promise<{ readonly name: string; readonly added: boolean }> {
  // Of two who change it at once, the second one adds to what the first one saved.
  await scope.serialize('names');
  const row = await scope
    .clients()
    .select([
      'clients.name as name',
      'clients.address as address',
      'clients.phone as phone',
      'clients.email as email',
      'clients.federal_id as federalId',
      'clients.state_id as stateId',
      'clients.other_names as otherNames',
    ])
    .where('clients.id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) throw refuse('not_found');
  const tx = scope.unscoped(proof);
  await forgetSuggested(tx, { kind: 'client', id: clientId }, [wordsKey('client', otherName)]);
  const otherNames = JSON.parse(row.otherNames) as string[];
  const form = searchForm(otherName);
  if ([row.name, ...otherNames].some((name) => searchForm(name) === form)) return { name: row.name, added: false };
  const { data, error } = ClientInput.shape.otherNames.safeParse([...otherNames, otherName]);
  if (error !== undefined) throw refuseFields({ [field]: error.issues[0]?.message ?? '' });
  await tx
    .updateTable('clients')
    .set({ ...otherNameColumns({ ...row, otherNames: data }), ...changedNow(scope, at) })
    .where('id', '=', clientId)
    .execute();
  return { name: row.name, added: true };
}
