// The tables of files: what they are, what stands in them, whom they name, which are expected, and ZIPs of them.
import type { ColumnType, Generated } from 'kysely';
import type { Frequency } from '#contract/completeness-words.ts';
import type { DocumentType, FileType } from '#contract/file-kinds.ts';
import type { Computed, Fixed } from './columns.ts';

interface FileTable {
  id: Generated<number>;
  original_name: string;
  name_key: string;
  search_name: string;
  /** A pay date, a month, a quarter or a year (`contract/period.ts`); null where nobody has said. */
  period: string | null;
  /** `periodKey` of the period; of a file without one, the day of its upload (UTC). */
  period_key: string;
  /** 32 random hexadecimal digits: the row of `blobs` with the bytes. */
  storage_key: Fixed<string>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  content_type: Fixed<string>;
  file_type: FileType;
  document_type: DocumentType | null;
  client_id: number;
  report_type_id: number | null;
  /** The report type; 0 for a report without one; -1 for a company document. */
  access_key: ColumnType<number, number | undefined, number>;
  /** Null once the uploader's account is deleted; `uploader_name` stays. */
  uploaded_by_id: number | null;
  uploader_name: string;
  uploaded_at: Fixed<number>;
  idempotency_key: Fixed<string | null>;
  /** The file of the same client that this one corrects; `server/files/corrections.ts` keeps the rules. */
  corrects_id: Generated<number | null>;
  /** 1 where its uploader was a Client user then. */
  sent_by_client: ColumnType<0 | 1, 0 | 1 | undefined, never>;
  /** When somebody of the client's people, its uploader aside, last opened it; null where nobody has (`server/audit/file-opens.ts`). */
  opened_by_client_at: Generated<number | null>;
  /** When it last came to other people than its upload had brought it to, and by whom; null where it never did (`server/files/came.ts`). */
  came_at: Generated<number | null>;
  came_by_id: Generated<number | null>;
}

/** How many files are under a client and access key. Triggers keep it with every row of `files`. */
interface FileCountTable {
  client_id: Computed<number>;
  access_key: Computed<number>;
  /** The uploader of reports without a type; 0 for all else. */
  owner_id: Computed<number>;
  /** '' where there is none. */
  document_type: Computed<string>;
  n: Computed<number>;
}

/** What stands on one page of a file. Its words are in the engine's own index. */
interface DocumentTextTable {
  /** `textId` of the file and the page. */
  id: Fixed<number>;
  file_id: Fixed<number>;
  page: Fixed<number>;
  text: Fixed<string>;
}

/** A file whose text is still to be read. */
interface FileToReadTable {
  file_id: Fixed<number>;
  /** How often its reading was begun. */
  attempts: number;
  /** Whose turn it is; 0 where nobody is known. */
  person_id: Generated<number>;
  /** What is left to recognise of a file whose text is kept already, or how far that is kept (`server/files/texts/files-to-read.ts`). */
  scans: string | null;
  /** 1: it has pictures to recognise, or took longer than most, and is read beside the others. */
  takes_long: Generated<number>;
}

/** A file that was stored and names another client than its own. */
interface FileMarkTable {
  file_id: Fixed<number>;
  /** Null where it names several, and once that client is gone. */
  named_client_id: number | null;
  state: 'open' | 'settled';
  /** Who said that the file is right where it is, or filed it there. */
  settled_by_id: number | null;
  settled_by_name: string | null;
  settled_at: number | null;
  created_at: number;
}

/** A file of which nobody knows yet whom it names. */
interface FileToJudgeTable {
  file_id: Fixed<number>;
  /** How often its reading was begun. */
  attempts: number;
  /** By no federal id: its sender does not see them whole. */
  by_names_alone: Generated<0 | 1>;
  /** Whose turn it is; 0 where nobody is known. */
  person_id: Generated<number>;
}

/** Which reports are expected of a client (`server/files/completeness/windows.ts`). */
interface ExpectationTable {
  id: Generated<number>;
  client_id: Fixed<number>;
  report_type_id: Fixed<number>;
  frequency: Frequency;
  /** How many days after the end of its period a report is due. */
  due_days: number;
  /** YYYY-MM-DD: the first day of the first period; null for the client's start date. */
  starts: string | null;
  /** On which of 7 or 14 days its weeks begin; 0 for all else. */
  phase: number;
}

/** ZIPs prepared in the background. The owner has no foreign key: maintenance removes what belongs to nobody. */
interface ArchiveTable {
  id: Generated<number>;
  owner_id: Fixed<number>;
  /** JSON: the `ArchiveOrder`. */
  asked: Fixed<string>;
  files_asked: Fixed<number>;
  /** The latest job that prepares it; null for the moment in which it is ordered. */
  job_id: number | null;
  /** Of the ZIP; null until it is made, and again once what it holds is out of date. */
  storage_key: string | null;
  /** The three are of the ZIP that was made. */
  name: string | null;
  /** JSON: the ids of the files in it. */
  file_ids: string | null;
  ready_at: number | null;
  /** Why it could not be made, in a sentence. */
  fault: string | null;
  created_at: Fixed<number>;
  expires_at: number;
}

export interface TablesOfFiles {
  files: FileTable;
  file_counts: FileCountTable;
  document_texts: DocumentTextTable;
  files_to_read: FileToReadTable;
  file_marks: FileMarkTable;
  files_to_judge: FileToJudgeTable;
  expectations: ExpectationTable;
  archives: ArchiveTable;
}
