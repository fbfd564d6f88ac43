// What requests begin with: the firm's templates.
import { templateDetails } from '#contract/activity-words.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import { foldKey } from '#contract/fields.ts';
import { TEMPLATES_MAX } from '#contract/request-words.ts';
import type { TemplateInput, TemplateRow } from '#contract/requests.ts';
import { searchForm } from '#contract/search.ts';
import { record } from '../audit/record.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import {
  changedNow,
  type ExpectedVersions,
  type LastChange,
  requireVersion,
  versionOf,
} from '../people/access/versions.ts';
import { isDuplicate } from '../platform/db/violations.ts';

interface TemplateRecord extends LastChange {
  readonly id: number;
  readonly name: string;
  readonly items: string;
}

const columns = ['id', 'name', 'items', 'changed_at', 'changed_by_id'] as const;

const toRow = ({ id, name, items, changed_at: changedAt }: TemplateRecord): TemplateRow => ({
  id,
  name,
  items: JSON.parse(items) as TemplateRow['items'],
  version: versionOf(changedAt, [name, items]),
});

export async function listTemplates(scope: ReadScope): Promise<TemplateRow[]> {
  const records = await scope.requestTemplates().select(columns).orderBy('name_key').execute();
  return records.map(toRow).sort(byPlainLetters);
}

/** As other names stand in lists: Élan before Year-end. */
function byPlainLetters(one: TemplateRow, other: TemplateRow): number {
  const [first, second] = [searchForm(one.name), searchForm(other.name)];
  return first === second ? 0 : first < second ? -1 : 1;
}

/** What of a template is stored; whatever else the items were sent with is not. */
const columnsOf = ({ name, items }: TemplateInput) => ({
  name,
  name_key: foldKey(name),
  items: JSON.stringify(items.map((item) => ({ name: item.name, note: item.note }))),
});

async function saving<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error, 'name_key')) throw refuse('request_template_name_taken');
    throw error;
  }
}

export async function insertTemplate(scope: WriteScope, input: TemplateInput, at: number): Promise<TemplateRow> {
  const proof = scope.authorize('requests.keep-templates');
  if ((await listTemplates(scope)).length >= TEMPLATES_MAX) {
    throw refuseFields({ name: `There can be at most ${TEMPLATES_MAX} templates. Delete one first.` });
  }
  const row = await saving(() =>
    scope
      .unscoped(proof)
      .insertInto('request_templates')
      .values(columnsOf(input))
      .returning(columns)
      .executeTakeFirstOrThrow(),
  );
  await record(scope, proof, { action: 'update', details: templateDetails('Created', input.name) }, at);
  return toRow(row);
}

/** A template; of two who save at once, the second one reads what the first one saved. */
async function holdTemplate(scope: WriteScope, id: number): Promise<TemplateRecord> {
  await scope.serialize('names');
  const record = await scope.requestTemplates().select(columns).where('id', '=', id).executeTakeFirst();
  if (record === undefined) throw refuse('not_found');
  return record;
}

export async function updateTemplate(
  scope: WriteScope,
  id: number,
  input: TemplateInput,
  { expected, at }: { readonly expected: ExpectedVersions; readonly at: number },
): Promise<TemplateRow> {
  const proof = scope.authorize('requests.keep-templates');
  const former = await holdTemplate(scope, id);
  await requireVersion(scope, expected, toRow(former), async () => former, at);
  const saved = columnsOf(input);
  if (saved.name === former.name && saved.items === former.items) return toRow(former);
  const row = await saving(() =>
    scope
      .unscoped(proof)
      .updateTable('request_templates')
      .set({ ...saved, ...changedNow(scope, at) })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow(),
  );
  await record(scope, proof, { action: 'update', details: templateDetails('Updated', input.name) }, at);
  return toRow(row);
}

export async function removeTemplate(scope: WriteScope, id: number, at: number): Promise<void> {
  const proof = scope.authorize('requests.keep-templates');
  const { name } = await holdTemplate(scope, id);
  await scope.unscoped(proof).deleteFrom('request_templates').where('id', '=', id).execute();
  await record(scope, proof, { action: 'delete', details: templateDetails('Deleted', name) }, at);
}
