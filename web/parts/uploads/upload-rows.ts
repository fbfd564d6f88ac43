// What each file of an upload is filed under: its own choice, what its name proposes, or what is chosen for the others; and what is there already.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ClientRow } from '#contract/clients.ts';
import { DOCUMENT_TYPES, type DocumentType, FILE_TYPES, type FileType } from '#contract/file-kinds.ts';
import { proposePeriod } from '#contract/period.ts';
import { may } from '#contract/policy.ts';
import { clientProposer, namesCorrection, proposeDocumentType, reportTypeProposer } from '#contract/propose.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { alreadyThereQuery, type FoundThere, type PlannedUpload, plannedKey } from '#web/data/already-there.ts';
import { allClientsQuery } from '#web/data/clients.ts';
import { type EarlierPlace, onlyEarlierQuery } from '#web/data/files.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import type { UploadChoices, UploadItem } from '#web/data/uploads.ts';
import { useSessionUser } from '#web/lib/session.ts';
import type { Replacing } from '../files/replace-choice.tsx';
import type { UploadStart } from './upload-form.ts';

/** What becomes of a file where one of its name is there already. */
export type Repeat = 'keep' | 'replace' | 'skip';

/** What was chosen for one file alone; null where nothing is wanted, absent where nobody chose. */
export interface OwnChoices {
  readonly clientId?: number | null;
  readonly fileType?: FileType;
  readonly reportTypeId?: number | null;
  readonly documentType?: DocumentType | null;
  readonly period?: string | null;
  /** Why it is this client's although it names another one; for the client that it was said of. */
  readonly kept?: { readonly clientId: number; readonly because: string };
  /** The file that it corrects, for the client that it is of, and whether it takes the place of that; null for none. */
  readonly corrects?: {
    readonly id: number;
    readonly name: string;
    readonly clientId: number;
    readonly replacing?: Replacing;
  } | null;
  /** For the stored file that it was said of, and for no other. */
  readonly repeat?: { readonly fileId: number; readonly choice: Repeat };
}

/** By the id of the file in the list. */
export type RowChoices = Readonly<Record<string, OwnChoices>>;

/** One thing that a file is filed under. */
export interface Filed<T> {
  readonly value: T | null;
  readonly name: string;
  /** Whether only the name of the file says so. */
  readonly proposed: boolean;
  /** Whether the file has one of its own, chosen or proposed: the field for the others does not change it. */
  readonly own: boolean;
}

/** The fields above the list. A file type and the type within it are one choice. */
export type SharedField = 'client' | 'type' | 'period';

/**
 * Which files a field above the list speaks for: 'others' are those that have none of their own; 'all' are all of them, as where the
 * dialog begins at a client, and where somebody said so; 'untouched' is a field that nobody has chosen in.
 */
export type SharedFor = Readonly<Record<SharedField, 'untouched' | 'others' | 'all'>>;

/** What the screen is about goes for every file that is dropped there. */
export const sharedForOf = ({ clientId, reportTypeId, documentType, period }: UploadStart): SharedFor => ({
  client: clientId === null ? 'untouched' : 'all',
  type: (reportTypeId ?? documentType) === undefined ? 'untouched' : 'all',
  period: period === undefined ? 'untouched' : 'all',
});

export interface UploadRow {
  readonly item: UploadItem;
  readonly choices: UploadChoices;
  readonly client: Filed<number>;
  readonly fileType: Filed<FileType>;
  /** Whether it is of another kind than the one chosen for all. */
  readonly kindDiffers: boolean;
  readonly reportType: Filed<number>;
  readonly documentType: Filed<DocumentType>;
  readonly period: Filed<string>;
  /** The earlier file that it corrects. */
  readonly corrects: Filed<number>;
  /** Set where it takes the place of that one. */
  readonly replacing: Replacing;
  /** Whether the person may have the earlier file replaced. */
  readonly mayReplace: boolean;
  /** Another client that the name speaks of than the one chosen; null where it does not. */
  readonly otherClient: { readonly id: number; readonly name: string } | null;
  /** What is stored already under this name at this place; null where nothing is, or is known. */
  readonly there: (FoundThere & { readonly mayReplace: boolean; readonly choice: Repeat }) | null;
}

interface Proposal {
  readonly clientId: number | null;
  readonly reportTypeId: number | null;
  readonly documentType: DocumentType | null;
  readonly period: string | null;
}

const idIn = (text: string) => (text === '' ? null : Number(text));
const textOf = (value: number | string | null) => (value === null ? '' : String(value));

interface Sources<T> {
  /** Chosen for this file alone; undefined where nobody chose. */
  readonly chosen: T | null | undefined;
  readonly proposal: T | null;
  /** What the field above the list says. */
  readonly shared: T | null;
  /** Whether it says so of files too whose names propose something else. */
  readonly forAll: boolean;
}

/** The choice for one file goes first, then what its name proposes; what is chosen for the others fills what is left. */
function filed<T>({ chosen, proposal, shared, forAll }: Sources<T>, nameOf: (value: T) => string): Filed<T> {
  const fits = chosen === undefined && proposal !== null && !(forAll && shared !== null);
  const value = chosen !== undefined ? chosen : fits ? proposal : shared;
  return {
    value,
    name: value === null ? '' : nameOf(value),
    // What somebody chose for the others as well is no mere proposal.
    proposed: fits && proposal !== shared,
    own: chosen !== undefined || fits,
  };
}

const NOTHING: Filed<number> = { value: null, name: '', proposed: false, own: false };

/** What a file corrects: as somebody chose for it at this client, or the dialog began with, or the only file that its name can mean. */
function correctedBy(
  said: OwnChoices['corrects'],
  clientId: number | null,
  only: { readonly id: number; readonly originalName: string } | null,
): Filed<number> {
  if (said === null) return NOTHING;
  if (said !== undefined && said.clientId === clientId)
    return { value: said.id, name: said.name, proposed: false, own: true };
  return only === null ? NOTHING : { value: only.id, name: only.originalName, proposed: true, own: true };
}

/** The kind that a name speaks of by the type it names; a report type tells more than the words of a document. */
function proposedKind({ reportTypeId, documentType }: Proposal, offered: readonly FileType[]): FileType | null {
  const kind = reportTypeId !== null ? 'report' : documentType !== null ? 'company_document' : null;
  return kind !== null && offered.length > 1 && offered.includes(kind) ? kind : null;
}

/** Proposes by names; each name is gone through once, and not at each step of a file that is being sent. */
function proposerOf(clients: readonly ClientRow[], reportTypes: readonly ReportTypeRow[]): (name: string) => Proposal {
  const clientOf = clientProposer(
    clients.map(({ id, name, otherNames, federalId }) => ({ id, names: [name, ...otherNames], federalId })),
  );
  const reportTypeOf = reportTypeProposer(reportTypes);
  const known = new Map<string, Proposal>();
  return (name) => {
    const proposal = known.get(name) ?? {
      clientId: clientOf(name),
      reportTypeId: reportTypeOf(name),
      documentType: proposeDocumentType(name),
      period: proposePeriod(name),
    };
    known.set(name, proposal);
    return proposal;
  };
}

export interface SharedChoices {
  readonly values: UploadChoices;
  readonly sharedFor: SharedFor;
  /** What the first file corrects, unless somebody says otherwise. */
  readonly corrects: OwnChoices['corrects'];
}

/** The rows of an upload; the clients and report types that names are compared with are those within the person's reach. */
export function useUploadRows(
  { items, busy }: { readonly items: readonly UploadItem[]; readonly busy: boolean },
  { values: shared, sharedFor, corrects: begun }: SharedChoices,
  fileTypes: readonly FileType[],
  initialOwn: RowChoices,
) {
  const user = useSessionUser();
  const [own, setOwn] = useState<RowChoices>(initialOwn);
  const knownClients = useQuery({ ...allClientsQuery(), enabled: items.length > 0 });
  const knownTypes = useQuery({ ...allReportTypesQuery(), enabled: items.length > 0 });
  const clients = knownClients.data?.rows;
  const reportTypes = knownTypes.data?.rows;

  const proposalOf = useMemo(() => proposerOf(clients ?? [], reportTypes ?? []), [clients, reportTypes]);
  const clientNames = useMemo(() => new Map(clients?.map(({ id, name }) => [id, name])), [clients]);
  const typeNames = useMemo(() => new Map(reportTypes?.map(({ id, name }) => [id, name])), [reportTypes]);

  const placed = items.map((item): Omit<UploadRow, 'there' | 'corrects' | 'replacing' | 'mayReplace'> => {
    const mine = own[item.id] ?? {};
    const proposal = proposalOf(item.name);
    const client = filed(
      {
        chosen: mine.clientId ?? undefined,
        proposal: proposal.clientId,
        shared: idIn(shared.clientId),
        forAll: sharedFor.client === 'all',
      },
      (id) => clientNames.get(id) ?? '',
    );
    const sharedKind = FILE_TYPES.find((type) => type === shared.fileType) ?? 'report';
    const forAllTypes = sharedFor.type === 'all';
    const fileType = filed(
      {
        chosen: mine.fileType,
        proposal: proposedKind(proposal, fileTypes),
        shared: sharedKind,
        forAll: forAllTypes,
      },
      String,
    );
    const isReport = fileType.value === 'report';
    // The type above the list belongs to the kind above the list.
    const sameKind = fileType.value === sharedKind;
    const reportType = filed(
      {
        chosen: mine.reportTypeId,
        proposal: proposal.reportTypeId,
        shared: sameKind ? idIn(shared.reportTypeId) : null,
        forAll: forAllTypes,
      },
      (id) => typeNames.get(id) ?? '',
    );
    const documentType = filed(
      {
        chosen: mine.documentType,
        proposal: proposal.documentType,
        shared: (sameKind ? DOCUMENT_TYPES.find((type) => type === shared.documentType) : null) ?? null,
        forAll: forAllTypes,
      },
      String,
    );
    const period = filed(
      {
        chosen: mine.period,
        proposal: proposal.period,
        shared: shared.period === '' ? null : shared.period,
        forAll: sharedFor.period === 'all',
      },
      String,
    );
    const { clientId: other } = proposal;
    return {
      item,
      client,
      fileType,
      kindDiffers: !sameKind,
      reportType,
      documentType,
      period,
      otherClient: other !== null && other !== client.value ? { id: other, name: clientNames.get(other) ?? '' } : null,
      choices: {
        clientId: textOf(client.value),
        fileType: textOf(fileType.value),
        reportTypeId: isReport ? textOf(reportType.value) : '',
        documentType: isReport ? '' : textOf(documentType.value),
        period: textOf(period.value),
        replaces: '',
        corrects: '',
        replacedBecause: '',
        keepBecause: mine.kept?.clientId === client.value ? mine.kept.because : '',
      },
    };
  });

  const planned = placed.flatMap(({ item, client, fileType, choices }) => {
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
  });
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

  const rows = placed.map((placedRow, nth): UploadRow => {
    const found = asked.data?.[keys.get(placedRow.item.id) ?? ''];
    const chosenHere = own[placedRow.item.id]?.corrects;
    const said = chosenHere === undefined && nth === 0 ? begun : chosenHere;
    const corrects = correctedBy(said, placedRow.client.value, earlierOf.get(placedRow.item.id) ?? null);
    const mayReplace = may(user, 'files.delete', {
      fileType: placedRow.fileType.value ?? 'report',
      uploadedById: null,
    });
    const replacing = mayReplace && said?.id === corrects.value ? (said?.replacing ?? null) : null;
    const row = {
      ...placedRow,
      corrects,
      replacing,
      mayReplace,
      choices: {
        ...placedRow.choices,
        ...(replacing === null
          ? { corrects: textOf(corrects.value) }
          : { replaces: textOf(corrects.value), replacedBecause: replacing.because.trim() }),
      },
    };
    if (found === undefined) return { ...row, there: null };
    const mine = own[row.item.id]?.repeat;
    const chosen = mine?.fileId === found.file.id ? mine.choice : null;
    const choice = chosen ?? (found.content === 'same' ? 'skip' : 'keep');
    return {
      ...row,
      there: { ...found, mayReplace: may(user, 'files.delete', found.file), choice },
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
  });

  /** Whether a file keeps something else than a field above the list says. */
  const keeps: Record<SharedField, (row: UploadRow) => boolean> = {
    client: ({ choices }) => shared.clientId !== '' && choices.clientId !== shared.clientId,
    type: ({ kindDiffers, choices }) =>
      kindDiffers ||
      (shared.reportTypeId !== '' && choices.reportTypeId !== shared.reportTypeId) ||
      (shared.documentType !== '' && choices.documentType !== shared.documentType),
    period: ({ choices }) => shared.period !== '' && choices.period !== shared.period,
  };

  return {
    rows,
    own,
    /** How many files keep something else than this field says; 0 where nobody has chosen in it. */
    keepingOwn: (field: SharedField) => (sharedFor[field] === 'untouched' ? 0 : rows.filter(keeps[field]).length),
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
