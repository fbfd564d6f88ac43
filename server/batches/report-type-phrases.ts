// The phrases of report types in the database: words by which pages are recognised, each of one type alone.
import { Refusal, refuse, refuseFields } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import { PhrasesInput } from '#contract/report-types.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { param } from '../platform/db/statement.ts';
import { phraseKey } from './recognition/type-index.ts';
import { forgetSuggested } from './suggested-rows.ts';

type Allowed = Proof<'report-types.update'>;

/** By report type, as far as the viewer finds it in lists; those of `ids`. */
export async function readPhrases(
  scope: ReadScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await scope.prepared<{ reportTypeId: number; phrase: string }>(
    'report-types.phrases',
    (sources) =>
      sources
        .reportTypes()
        .innerJoin('report_type_phrases as own', 'own.report_type_id', 'report_types.id')
        .select(['report_types.id as reportTypeId', 'own.phrase as phrase'])
        .where(isListedId('report_types.id', param<string>('ids')))
        .orderBy('own.id'),
    { ids: listText(ids) },
  );
  const phrases = new Map<number, string[]>();
  for (const { reportTypeId, phrase } of rows) {
    const there = phrases.get(reportTypeId);
    if (there === undefined) phrases.set(reportTypeId, [phrase]);
    else there.push(phrase);
  }
  return phrases;
}

/** What became of the phrases of a type. */
export interface PhraseChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Why a phrase cannot be that of another report type than `type`, which is named where the viewer finds it. */
export async function phraseTaken(
  scope: WriteScope,
  phrase: string,
  type: { readonly report_type_id: number; readonly typeName: string },
  field: string,
): Promise<Refusal> {
  const found = await scope
    .reportTypes()
    .select('report_types.id')
    .where('report_types.id', '=', type.report_type_id)
    .executeTakeFirst();
  const { code, message } = refuse('phrase_taken', { phrase, reportType: found === undefined ? null : type.typeName });
  return new Refusal(code, message, { fields: { [field]: message } });
}

/**
 * Gives a report type these phrases and no others. Those that stay keep their place. One that another type has is refused as a fault
 * of the form's `field`, and the type is named where the viewer finds it.
 */
export async function savePhrases(
  scope: WriteScope,
  proof: Allowed,
  reportTypeId: number,
  phrases: readonly string[],
  at: number,
  field: (nth: number) => string = (nth) => `phrases.${nth}`,
): Promise<PhraseChange> {
  // Of two who save at once, the second one sees what the first one saved.
  await scope.serialize('names');
  const tx = scope.unscoped(proof);
  const keyed = new Map<string, { readonly phrase: string; readonly nth: number }>();
  for (const [nth, phrase] of phrases.entries()) {
    const key = phraseKey(phrase);
    if (!keyed.has(key)) keyed.set(key, { phrase, nth });
  }
  const rows = await tx
    .selectFrom('report_type_phrases')
    .innerJoin('report_types', 'report_types.id', 'report_type_phrases.report_type_id')
    .select(['report_type_phrases.id', 'report_type_id', 'phrase', 'phrase_key', 'report_types.name as typeName'])
    .execute();
  for (const row of rows) {
    const given = row.report_type_id === reportTypeId ? undefined : keyed.get(row.phrase_key);
    if (given !== undefined) throw await phraseTaken(scope, given.phrase, row, field(given.nth));
  }
  const own = rows.filter((row) => row.report_type_id === reportTypeId);
  // Written in another way, it is the same phrase, and reads as it was written last.
  const kept = new Set(
    own.filter((row) => keyed.get(row.phrase_key)?.phrase === row.phrase).map((row) => row.phrase_key),
  );
  const gone = own.filter((row) => !kept.has(row.phrase_key));
  const added = [...keyed].filter(([key]) => !kept.has(key));
  if (gone.length > 0) {
    const ids = listText(gone.map(({ id }) => id));
    await tx.deleteFrom('report_type_phrases').where(isListedId('report_type_phrases.id', ids)).execute();
  }
  if (added.length > 0) {
    await tx
      .insertInto('report_type_phrases')
      .values(
        added.map(([key, { phrase }]) => ({
          report_type_id: reportTypeId,
          phrase,
          phrase_key: key,
          created_at: at,
        })),
      )
      .execute();
  }
  await forgetSuggested(tx, { kind: 'type', id: reportTypeId }, [...keyed.keys()]);
  return { added: added.map(([, { phrase }]) => phrase), removed: gone.map(({ phrase }) => phrase) };
}

/** Adds one phrase to those of a type. False where the type has it already. */
export async function addPhrase(
  scope: WriteScope,
  proof: Allowed,
  reportTypeId: number,
  phrase: string,
  { at, field }: { readonly at: number; readonly field: string },
): Promise<boolean> {
  await scope.serialize('names');
  const there = (await readPhrases(scope, [reportTypeId])).get(reportTypeId) ?? [];
  if (there.some((other) => phraseKey(other) === phraseKey(phrase))) return false;
  const { data, error } = PhrasesInput.safeParse({ phrases: [...there, phrase] });
  if (data === undefined) throw refuseFields({ [field]: error.issues[0]?.message ?? '' });
  await savePhrases(scope, proof, reportTypeId, data.phrases, at, () => field);
  return true;
}
