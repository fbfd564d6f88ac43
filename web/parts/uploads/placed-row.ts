// Where a file of an upload is filed, as far as that follows from its name and from what was chosen.
import { DOCUMENT_TYPES, type DocumentType, FILE_TYPES, type FileType } from '#contract/file-kinds.ts';
import { periodKindOf } from '#contract/period.ts';
import type { UploadChoices, UploadItem } from '#web/data/uploads.ts';
import { type Filed, filed, idIn, type Proposal, proposedKind, textOf } from './filed-under.ts';
import type { OwnChoices, SharedChoices } from './own-choices.ts';

export interface PlacedRow {
  readonly item: UploadItem;
  readonly choices: UploadChoices;
  readonly client: Filed<number>;
  readonly fileType: Filed<FileType>;
  /** Whether it is of another kind than the one chosen for all. */
  readonly kindDiffers: boolean;
  readonly reportType: Filed<number>;
  readonly documentType: Filed<DocumentType>;
  readonly period: Filed<string>;
  /** Another client that the name speaks of than the one chosen; null where it does not. */
  readonly otherClient: { readonly id: number; readonly name: string } | null;
}

interface Said {
  readonly mine: OwnChoices;
  readonly proposal: Proposal;
  readonly shared: Pick<SharedChoices, 'values' | 'sharedFor' | 'periodFrom'>;
}

interface Known {
  /** The kinds that may be sent from here. */
  readonly fileTypes: readonly FileType[];
  readonly clientNames: ReadonlyMap<number, string>;
  readonly typeNames: ReadonlyMap<number, string>;
}

/** Whether a name says one of the pay dates of a window. */
function isPayDateIn(proposed: string | null, from: string | undefined, to: string): boolean {
  if (proposed === null || from === undefined || periodKindOf(proposed) !== 'payDate') return false;
  return proposed >= from && proposed <= to;
}

export function placedRow(
  item: UploadItem,
  { mine, proposal, shared: { values: shared, sharedFor, periodFrom } }: Said,
  { fileTypes, clientNames, typeNames }: Known,
): PlacedRow {
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
      forAll:
        sharedFor.period === 'all' ||
        (sharedFor.period === 'window' && !isPayDateIn(proposal.period, periodFrom, shared.period)),
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
}
