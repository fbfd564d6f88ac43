// What each file of an upload is filed under: its own choice, what its name proposes, or what is chosen for the others; and what is there already.

import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { DOCUMENT_TYPES, type FileType } from '#contract/file-kinds.ts';
import type { Actor } from '#contract/policy/actor.ts';
import { may } from '#contract/policy.ts';
import { namesCorrection } from '#contract/propose.ts';
import { alreadyThereQuery, type FoundThere, type PlannedUpload, plannedKey } from '#web/data/already-there.ts';
import { allClientsQuery } from '#web/data/clients.ts';
import { type EarlierPlace, onlyEarlierQuery } from '#web/data/files.ts';
import { usableReportTypesQuery } from '#web/data/report-types.ts';
import type { UploadChoices, UploadItem } from '#web/data/uploads.ts';
import { useSessionUser } from '#web/lib/session.ts';
import type { Replacing } from '../files/replace-choice.tsx';
import { correctedBy, type Filed, idIn, NOTHING, proposerOf, textOf } from './filed-under.ts';
import type { OwnChoices, Repeat, RowChoices, SharedChoices, SharedField } from './own-choices.ts';
import { type PlacedRow, placedRow } from './placed-row.ts';

export interface UploadRow extends PlacedRow {
  /** The earlier file that it corrects. */
  readonly corrects: Filed<number>;
  /** Set where it takes the place of that one. */
  readonly replacing: Replacing;
  /** Whether the person may have the earlier file replaced. */
  readonly mayReplace: boolean;
  /** The earlier file is on hold, as far as is known here. */
  readonly held: boolean;
  /** What is stored already under this name at this place; null where nothing is, or is known. */
  readonly there: (FoundThere & { readonly mayReplace: boolean; readonly choice: Repeat }) | null;
}

/** What is asked about a file, once it is known where it would be filed. */
function plannedOf({ item, client, fileType, choices }: PlacedRow) {
  if (client.value === null || fileType.value === null) return [];
  const at: PlannedUpload = {
    clientId: client.value,
    fileType: fileType.value,
    reportTypeId: idIn(choices.reportTypeId),
    documentType: DOCUMENT_TYPES.find((type) => type === choices.documentType) ?? null,
    name: item.name,
    size: item.sizeBytes,
  };
  return [{ id: item.id, planned: at }];
}

/** What becomes of the files there already: the one that it corrects or replaces, and the one of its name. */
function settledRow(
  placed: PlacedRow,
  {
    said,
    corrects,
    held,
    found,
    repeat,
  }: {
    readonly said: OwnChoices['corrects'];
    readonly corrects: Filed<number>;
    readonly held: boolean;
    readonly found: FoundThere | undefined;
    readonly repeat: OwnChoices['repeat'];
  },
  user: Actor,
): UploadRow {
  const mayReplace = may(user, 'files.delete', {
    fileType: placed.fileType.value ?? 'report',
    uploadedById: null,
  });
  const replacing = mayReplace && !held && said?.id === corrects.value ? (said?.replacing ?? null) : null;
  const row = {
    ...placed,
    corrects,
    replacing,
    mayReplace,
    held,
    choices: {
      ...placed.choices,
      ...(replacing === null
        ? { corrects: textOf(corrects.value) }
        : { replaces: textOf(corrects.value), replacedBecause: replacing.because.trim() }),
    },
  };
  if (found === undefined) return { ...row, there: null };
  const chosen = repeat?.fileId === found.file.id ? repeat.choice : null;
  const choice = chosen ?? (found.content === 'same' ? 'skip' : 'keep');
  return {
    ...row,
    there: { ...found, mayReplace: !found.file.onHold && may(user, 'files.delete', found.file), choice },
    ...(choice === 'replace'
      ? // What is replaced leaves the lists: it cannot be corrected as well, and there is one of it.
        {
          replacing: null,
          corrects: corrects.value === found.file.id ? NOTHING : corrects,
          choices: {
            ...row.choices,
            replaces: String(found.file.id),
            replacedBecause: '',
            corrects: corrects.value === found.file.id ? '' : textOf(corrects.value),
          },
        }
      : {}),
  };
}

/** Whether a file keeps something else than a field above the list says. */
const keeps: Readonly<Record<SharedField, (row: PlacedRow, shared: UploadChoices) => boolean>> = {
  client: ({ choices }, shared) => shared.clientId !== '' && choices.clientId !== shared.clientId,
  type: ({ kindDiffers, choices }, shared) =>
    kindDiffers ||
    (shared.reportTypeId !== '' && choices.reportTypeId !== shared.reportTypeId) ||
    (shared.documentType !== '' && choices.documentType !== shared.documentType),
  period: ({ choices }, shared) => shared.period !== '' && choices.period !== shared.period,
};

/** The rows of an upload; the clients and report types that names are compared with are those within the person's reach. */
export function useUploadRows(
  { items, busy }: { readonly items: readonly UploadItem[]; readonly busy: boolean },
  { values, sharedFor, periodFrom, corrects: begun }: SharedChoices,
  fileTypes: readonly FileType[],
  initialOwn: RowChoices,
) {
  const user = useSessionUser();
  const [own, setOwn] = useState<RowChoices>(initialOwn);
  const knownClients = useQuery({ ...allClientsQuery(), enabled: items.length > 0 });
  const knownTypes = useQuery({ ...usableReportTypesQuery(user), enabled: items.length > 0 });
  const clients = knownClients.data?.rows;
  const reportTypes = knownTypes.data?.rows;

  const proposalOf = useMemo(() => proposerOf(clients ?? [], reportTypes ?? []), [clients, reportTypes]);
  const clientNames = useMemo(() => new Map(clients?.map(({ id, name }) => [id, name])), [clients]);
  const typeNames = useMemo(() => new Map(reportTypes?.map(({ id, name }) => [id, name])), [reportTypes]);

  const shared = { values, sharedFor, periodFrom };
  const known = { fileTypes, clientNames, typeNames };
  const placed = items.map((item) =>
    placedRow(item, { mine: own[item.id] ?? {}, proposal: proposalOf(item.name), shared }, known),
  );

  const planned = placed.flatMap(plannedOf);
  const query = alreadyThereQuery(planned);
  // While they are sent, each file that is stored leaves the list: nothing new is to be asked.
  const asked = useQuery({ ...query, enabled: query.enabled !== false && !busy && clients !== undefined });
  const keys = new Map(planned.map((one) => [one.id, plannedKey(one.id, one.planned)]));

  // Names that speak of a correction: what it may correct is looked for where all three are known.
  const correcting = planned.flatMap(({ id, planned: place }) => {
    const row = placed.find(({ item }) => item.id === id);
    const period = row?.period.value ?? null;
    const isTyped = (place.reportTypeId ?? place.documentType) !== null;
    return period !== null && isTyped && namesCorrection(place.name) ? [{ id, place: { ...place, period } }] : [];
  });
  const earlier = useQueries({
    queries: correcting.map(({ place }) => ({ ...onlyEarlierQuery(place as EarlierPlace), enabled: !busy })),
  });
  const earlierOf = new Map(correcting.map(({ id }, nth) => [id, earlier[nth]?.data ?? null]));

  const rows = placed.map((row, nth) => {
    const { corrects: chosenHere, repeat } = own[row.item.id] ?? {};
    const said = chosenHere === undefined && nth === 0 ? begun : chosenHere;
    const only = earlierOf.get(row.item.id) ?? null;
    const corrects = correctedBy(said, row.client.value, only);
    const held = [said, only].some((one) => one?.id === corrects.value && one?.onHold === true);
    const found = asked.data?.[keys.get(row.item.id) ?? ''];
    return settledRow(row, { said, corrects, held, found, repeat }, user);
  });

  return {
    rows,
    own,
    /** How many files keep something else than this field says; 0 where nobody has chosen in it. */
    keepingOwn: (field: SharedField) =>
      sharedFor[field] === 'untouched' ? 0 : rows.filter((row) => keeps[field](row, values)).length,
    /** Whether it is not known yet what the names propose, and what is there: nothing is sent that was not shown before. */
    checking:
      knownClients.isLoading ||
      knownTypes.isLoading ||
      earlier.some(({ isLoading }) => isLoading) ||
      (asked.isFetching && (asked.isPlaceholderData || asked.data === undefined)),
    change: (id: string, choice: OwnChoices) => setOwn((before) => ({ ...before, [id]: { ...before[id], ...choice } })),
    /** The same for every file of which one is there already; to replace only where that is allowed. */
    repeatAll: (choice: Repeat) =>
      setOwn((before) => {
        const next: Record<string, OwnChoices> = { ...before };
        for (const { item, there } of rows) {
          if (there === null || (choice === 'replace' && !there.mayReplace)) continue;
          next[item.id] = { ...next[item.id], repeat: { fileId: there.file.id, choice } };
        }
        return next;
      }),
    /** What is chosen for all goes for every file from then on, whatever was chosen for it alone. */
    forgetOwn: (fields: readonly (keyof OwnChoices)[]) =>
      setOwn((before) =>
        Object.fromEntries(
          Object.entries(before).map(([id, choice]) => [
            id,
            Object.fromEntries(Object.entries(choice).filter(([field]) => !fields.includes(field as keyof OwnChoices))),
          ]),
        ),
      ),
    reset: (to: RowChoices) => setOwn(to),
  };
}
