// The tables of requests: what is asked of a client, item by item, and what was sent.
import type { Generated } from 'kysely';
import type { ItemState, RequestState } from '#contract/request-words.ts';
import type { Fixed, LastChanged } from './columns.ts';

/** What staff ask a client for. Whatever is done with its items changes its row too. */
interface RequestTable {
  id: Generated<number>;
  client_id: Fixed<number>;
  title: string;
  message: string;
  /** YYYY-MM-DD; null where the client may take its time. */
  due_on: string | null;
  state: RequestState;
  /** How many items there are, how many wait for the client, and how many for staff. */
  items: number;
  owed: number;
  to_review: number;
  /** Without a foreign key: the request outlives the account. */
  asked_by_id: Fixed<number>;
  asked_by_name: Fixed<string>;
  created_at: Fixed<number>;
  changed_at: number;
  /** When people were last reminded of it by mail, and how many were then; null where nobody was. */
  reminded_at: Generated<number | null>;
  reminded_people: Generated<number | null>;
  /** When it was last reopened; null where it never was. */
  reopened_at: Generated<number | null>;
  /** When its due day was last changed, and by whom; null where it never was. */
  redated_at: Generated<number | null>;
  redated_by_id: Generated<number | null>;
  /** The first of the changes that followed one another within the time that mails look back, and the day before it, if there was one. */
  redated_since: Generated<number | null>;
  redated_from: Generated<string | null>;
  /** Of the key and the content that it was sent with; null where it came without a key. */
  idempotency_key: Generated<string | null>;
}

interface RequestItemTable extends LastChanged {
  id: Generated<number>;
  request_id: Fixed<number>;
  position: number;
  name: string;
  note: string;
  state: ItemState;
  /** 1 where the client's last answer was that it does not apply. */
  said_not: 0 | 1;
  /** What the client wrote to that. */
  answer: string;
  /** Why it was sent back last; empty where it was not. */
  reason: string;
  /** When it came into its state, or was added to a request that was there, and by whom; null where nobody has moved it since the request. */
  state_at: Generated<number | null>;
  state_by_id: Generated<number | null>;
}

interface RequestItemFileTable {
  item_id: Fixed<number>;
  /** Without a foreign key: what was sent stays told, also where the file is gone. */
  file_id: Fixed<number>;
  name: Fixed<string>;
  sent_at: Fixed<number>;
  sent_by_name: Fixed<string>;
}

interface RequestTemplateTable extends LastChanged {
  id: Generated<number>;
  name: string;
  name_key: string;
  /** A JSON list of names with notes. */
  items: string;
}

export interface TablesOfRequests {
  requests: RequestTable;
  request_items: RequestItemTable;
  request_item_files: RequestItemFileTable;
  request_templates: RequestTemplateTable;
}
