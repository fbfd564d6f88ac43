// Where a file is filed: a client, a kind and a type. What an upload or a re-filing names, as far as the viewer reaches it.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { refuse } from '#contract/errors.ts';
import { type DocumentType, type FileType, fileTypeNames } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { periodName } from '#contract/period.ts';
import type { SubjectOf } from '#contract/policy/rights.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { Sources } from '../people/access/sources.ts';
import { type ExpectedVersions, requireVersion } from '../people/access/versions.ts';
import { param } from '../platform/db/statement.ts';
import { fileVersion } from './file-columns.ts';
import { isHeldClient } from './trash/holds.ts';

/** The columns of `files`. */
export interface FilePlace {
  readonly clientId: number;
  readonly fileType: FileType;
  readonly reportTypeId: number | null;
  readonly documentType: DocumentType | null;
  readonly period: string | null;
}

export interface FoundPlace {
  /** Null where it is missing or out of reach. */
  readonly client: FoundClient | null;
  readonly reportTypeName: string | null;
  /** What the policy needs to know of a place. */
  readonly reached: SubjectOf<'files.upload'>[0];
}

export interface FoundClient {
  readonly id: number;
  readonly name: string;
  readonly onHold: boolean;
}

interface PlaceRecord extends Omit<FoundClient, 'onHold'> {
  /** As the engine writes yes and no. */
  readonly onHold: SqlBool;
  readonly reportTypeName: string | null;
}

/** Refuses `not_found` where client or report type are missing and the viewer has reach over all. */
export async function findPlace(
  scope: ReadScope,
  place: { readonly clientId: number; readonly fileType: FileType; readonly reportTypeId?: number | null | undefined },
): Promise<FoundPlace> {
  const reportTypeId = place.reportTypeId ?? null;
  // In one statement: each document of a release asks for its place twice.
  const [record] = await scope.prepared<PlaceRecord>(
    'place.client',
    (sources) =>
      sources
        .clients()
        .select([
          'clients.id as id',
          'clients.name as name',
          isHeldClient.as('onHold'),
          sql<string | null>`${namedType(sources)}`.as('reportTypeName'),
        ])
        .where('clients.id', '=', param<number>('clientId')),
    { clientId: place.clientId, reportTypeId },
  );
  const reportTypeName = record === undefined ? await nameOfType(scope, reportTypeId) : record.reportTypeName;
  const reportTypeReached = reportTypeId === null ? null : reportTypeName !== null;
  if (scope.viewer.reach === 'all' && (record === undefined || reportTypeReached === false)) throw refuse('not_found');
  return {
    client: record === undefined ? null : { id: record.id, name: record.name, onHold: Boolean(record.onHold) },
    reportTypeName,
    reached: { fileType: place.fileType, clientReached: record !== undefined, reportTypeReached },
  };
}

/** Its name, where it is in reach. */
const namedType = (sources: Sources) =>
  sources
    .reachedReportTypes()
    .select('report_types.name as name')
    .where('report_types.id', '=', param<number>('reportTypeId'));

async function nameOfType(scope: ReadScope, reportTypeId: number | null): Promise<string | null> {
  if (reportTypeId === null) return null;
  const [type] = await scope.prepared<{ name: string }>('place.report-type', namedType, { reportTypeId });
  return type?.name ?? null;
}

/** 'Harbor & Pine (Report: Payroll Summary, Q1 2026)', as the log writes it. */
export function placeWords(
  clientName: string,
  {
    fileType,
    reportTypeName,
    documentType,
    period,
  }: Pick<FilePlace, 'fileType' | 'documentType' | 'period'> & { reportTypeName: string | null },
): string {
  const type = reportTypeName ?? documentType;
  const kind = `${fileTypeNames[fileType]}${type === null ? '' : `: ${type}`}`;
  return `${clientName} (${kind}${period === null ? '' : `, ${periodName(period, (day) => day)}`})`;
}

/** The row as it was when it was judged: who judged a file in one place does nothing to it in another. */
export function standsAt(file: Pick<FileRow, 'id' | 'clientId' | 'fileType' | 'reportTypeId'>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(files.id = ${file.id} and files.client_id = ${file.clientId} and files.file_type = ${file.fileType}
    and files.report_type_id is not distinct from ${file.reportTypeId})`;
}

/** The same, with all that its version tells where one of `expected` was asked for. */
export const standsAsExpected = (file: FileRow, expected: ExpectedVersions): RawBuilder<SqlBool> =>
  expected === null ? standsAt(file) : sql<SqlBool>`(${standsAt(file)} and ${fileVersion} = ${file.version})`;

/** Refuses `changed_meanwhile` where the file has none of the versions that were looked at; rows of files do not say who changed them. */
export const requireUnchanged = (scope: ReadScope, expected: ExpectedVersions, file: FileRow): Promise<void> =>
  requireVersion(scope, expected, file, async () => undefined, 0);
