// The tables of batches: their files, what was read of these, their documents, and what reviewers suggest.
import type { Generated } from 'kysely';
import type { AccessAction } from '#contract/activity-words.ts';
import type {
  BatchFileState,
  BatchState,
  DocumentState,
  LeftOutReason,
  UnreadableReason,
} from '#contract/batch-words.ts';
import type { Fixed } from './columns.ts';

interface BatchTable {
  id: Generated<number>;
  name: string;
  owner_id: Fixed<number>;
  owner_name: Fixed<string>;
  state: BatchState;
  /** The job that reads it. */
  job_id: number | null;
  created_at: Fixed<number>;
  released_at: number | null;
  /** How many of the files that were dropped did not come into it. */
  left_out: Generated<number>;
}

interface BatchFileTable {
  id: Generated<number>;
  batch_id: Fixed<number>;
  name: string;
  content_type: string;
  size_bytes: number;
  /** A batch has the same bytes once. */
  sha256: string;
  storage_key: string;
  state: BatchFileState;
  unreadable: UnreadableReason | null;
  pages: number | null;
  created_at: Fixed<number>;
}

/** A file as it was dropped, where the batch has another made of it: without its password, or a PDF of its pages. */
interface BatchOriginalTable {
  batch_file_id: Fixed<number>;
  name: Fixed<string>;
  content_type: Fixed<string>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  storage_key: Fixed<string>;
}

/** A file that was dropped and did not come into the batch. Only so many of a batch are named. */
interface BatchLeftOutTable {
  id: Generated<number>;
  batch_id: Fixed<number>;
  name: Fixed<string>;
  reason: Fixed<LeftOutReason>;
}

/** What was read of a file, while its batch is being read (batches/kept-readings.ts). */
interface BatchReadingTable {
  batch_file_id: Fixed<number>;
  stage: Fixed<0 | 1>;
  page: Fixed<number>;
  content: string;
}

interface BatchDocumentTable {
  id: Generated<number>;
  batch_id: Fixed<number>;
  batch_file_id: Fixed<number>;
  /** From 1; both 0 for a file without pages. */
  from_page: number;
  to_page: number;
  state: DocumentState;
  client_id: number | null;
  report_type_id: number | null;
  /** The client and the type that were deleted out of reach of whoever's batch it is, until another is chosen (batches/lost-documents.ts). */
  lost_client_id: number | null;
  lost_type_id: number | null;
  period: string | null;
  form: string | null;
  correction: 0 | 1;
  /** JSON: what speaks for the proposal, and what against it. */
  proposal: string;
  fault: string | null;
  /** Who releases it, while its state is 'releasing' and afterwards. */
  releasing_by_id: number | null;
  released_file_id: number | null;
  /** The file that goes to the trash when this document is released. */
  replaces_file_id: number | null;
  /** The file that stays, and is marked as corrected by what this document becomes; never together with the one above. */
  corrects_file_id: number | null;
  /** Of its last recall. */
  recall_reason: string | null;
  recalled_by_name: string | null;
  recalled_at: number | null;
  /** Who decided or changed something last. */
  reviewed_by_id: number | null;
  reviewed_by_name: string | null;
  /** Set by accepting alone; null again once it is no longer accepted. */
  accepted_by_id: number | null;
  version: number;
}

/** When somebody last began to look at a file of a batch, or saved it: what comes soon after belongs to the same entry of the log. */
interface BatchFileOpenTable {
  batch_file_id: Fixed<number>;
  user_id: Fixed<number>;
  action: Fixed<AccessAction>;
  at: number;
}

interface SuggestionTable {
  id: Generated<number>;
  kind: Fixed<'type' | 'client'>;
  owner_id: Fixed<number>;
  owner_name: Fixed<string>;
  /** Set for the kind 'type' alone. */
  report_type_id: Fixed<number | null>;
  /** Set for the kind 'client' alone. */
  client_id: Fixed<number | null>;
  words: Fixed<string>;
  /** As recognition compares them. */
  words_key: Fixed<string>;
  created_at: Fixed<number>;
}

export interface TablesOfBatches {
  batches: BatchTable;
  batch_files: BatchFileTable;
  batch_originals: BatchOriginalTable;
  batch_left_out: BatchLeftOutTable;
  batch_readings: BatchReadingTable;
  batch_documents: BatchDocumentTable;
  batch_file_opens: BatchFileOpenTable;
  suggestions: SuggestionTable;
}
