// What is chosen for one file of an upload alone, and what the fields above the list say for the others.
import type { DocumentType, FileType } from '#contract/file-kinds.ts';
import { periodKindOf } from '#contract/period.ts';
import type { UploadChoices } from '#web/data/uploads.ts';
import type { Kept } from '../files/another-client.tsx';
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
  readonly kept?: Kept;
  /** The file that it corrects, for the client that it is of, and whether it takes the place of that; null for none. */
  readonly corrects?: {
    readonly id: number;
    readonly name: string;
    readonly clientId: number;
    readonly onHold: boolean;
    readonly replacing?: Replacing;
  } | null;
  /** For the stored file that it was said of, and for no other. */
  readonly repeat?: { readonly fileId: number; readonly choice: Repeat };
}

/** By the id of the file in the list. */
export type RowChoices = Readonly<Record<string, OwnChoices>>;

/** The fields above the list. A file type and the type within it are one choice. */
export type SharedField = 'client' | 'type' | 'period';

/**
 * Which files a field above the list speaks for: 'others' are those that have none of their own; 'all' are all of them, as where the
 * dialog begins at a client, and where somebody said so; 'window' are all but those whose names say another of the days that are
 * meant; 'untouched' is a field that nobody has chosen in.
 */
export type SharedFor = Readonly<Record<SharedField, 'untouched' | 'others' | 'window' | 'all'>>;

const isWindow = ({ period, periodFrom }: UploadStart) =>
  period !== undefined && periodFrom !== undefined && periodKindOf(period) === 'payDate';

/** What the screen is about goes for every file that is dropped there. */
export const sharedForOf = (start: UploadStart): SharedFor => ({
  client: start.clientId === null ? 'untouched' : 'all',
  type: (start.reportTypeId ?? start.documentType) === undefined ? 'untouched' : 'all',
  period: start.period === undefined ? 'untouched' : isWindow(start) ? 'window' : 'all',
});

export interface SharedChoices {
  readonly values: UploadChoices;
  readonly sharedFor: SharedFor;
  /** The first day of a 'window', whose last day is the period. */
  readonly periodFrom: string | undefined;
  /** What the first file corrects, unless somebody says otherwise. */
  readonly corrects: OwnChoices['corrects'];
}
