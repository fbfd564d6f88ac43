// What an upload is filed under: the choices sent with the files, and who may choose what.
import { type DocumentType, FILE_TYPES, type FileType } from '#contract/file-kinds.ts';
import type { ListedActor } from '#contract/policy/actor.ts';
import { may } from '#contract/policy.ts';
import type { UploadChoices } from '#web/data/uploads.ts';
import { missingClients, missingReports } from '../users/missing-access.ts';

/** The file types that a person can upload for somebody; the server judges each client and report type again. */
export function uploadableTypes(user: ListedActor): FileType[] {
  return FILE_TYPES.filter((fileType) => {
    const missing = fileType === 'report' ? missingReports(user) : missingClients(user);
    return may(user, 'files.upload', { fileType, clientReached: missing === null, reportTypeReached: null });
  });
}

/** What the dialog starts from: a file type, and what the screen is about. */
export interface UploadStart {
  readonly fileType: FileType;
  readonly clientId: number | null;
  readonly reportTypeId?: number;
  readonly documentType?: DocumentType;
  readonly period?: string;
  /** The first of the days that the period is the last of, where a report with a pay date in one of them is missing. */
  readonly periodFrom?: string;
  /** The file of this client that the first one corrects, unless somebody says otherwise. */
  readonly corrects?: { readonly id: number; readonly name: string; readonly onHold: boolean };
}

export function choicesOf({ fileType, clientId, reportTypeId, documentType, period }: UploadStart): UploadChoices {
  return {
    clientId: clientId === null ? '' : String(clientId),
    fileType,
    reportTypeId: reportTypeId === undefined ? '' : String(reportTypeId),
    documentType: documentType ?? '',
    period: period ?? '',
    replaces: '',
    corrects: '',
    replacedBecause: '',
    keepBecause: '',
  };
}

/** What the first file corrects, at the client that it is of. */
export const correctsOf = ({ clientId, corrects }: UploadStart) =>
  corrects === undefined || clientId === null ? undefined : { ...corrects, clientId };
