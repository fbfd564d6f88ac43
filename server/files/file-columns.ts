// The columns of a file that follow from others: how its name and its period are compared and searched.
import { type RawBuilder, sql } from 'kysely';
import { foldKey } from '#contract/fields.ts';
import { periodKey } from '#contract/period.ts';
import { searchForm } from '#contract/search.ts';

/** A file's name with the columns next to it. */
export function fileNameColumns(originalName: string) {
  return { original_name: originalName, name_key: foldKey(originalName), search_name: searchForm(originalName) };
}

/** A file's period with the key it is ordered and narrowed by; `uploadedAt` is in ms since the epoch. */
export function periodColumns(period: string | null, uploadedAt: number) {
  return { period, period_key: periodKey(period ?? new Date(uploadedAt).toISOString().slice(0, 10)) };
}

/** The version of a file: where it is filed, and for which period. `versionOfFile` says it of a row that is made. */
export const fileVersion: RawBuilder<string> = sql<string>`(cast(files.client_id as text) || '.' || cast(files.access_key as text)
  || '.' || coalesce(files.document_type, '') || '.' || coalesce(files.period, ''))`;

export const versionOfFile = (file: {
  readonly clientId: number;
  readonly accessKey: number;
  readonly documentType: string | null;
  readonly period: string | null;
}): string => [file.clientId, file.accessKey, file.documentType ?? '', file.period ?? ''].join('.');
