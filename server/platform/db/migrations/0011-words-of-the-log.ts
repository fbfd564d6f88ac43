// The log read by its clients and people without looking at its entries, and searched by each three letters of it in a row.
import { statements } from './dialect.ts';

/**
 * SQLite's letters of the log are written in the background, since every view and download adds an entry: up to the entry in
 * `indexed_words`. PostgreSQL gathers them itself (`server/platform/db/text-search.ts`).
 */
const words = [
  `create virtual table activity_words using fts5 (search_text, content = 'activity', content_rowid = 'id', tokenize = 'trigram', detail = 'none', columnsize = 0)`,
  'create table indexed_words (table_name text not null primary key, through_id bigint not null) without rowid',
  `insert into indexed_words (table_name, through_id) values ('activity', 0)`,
];

export const wordsOfTheLog = statements(({ engine }) => [
  'drop index activity_at',
  'create index activity_newest on activity (at, id, client_id, user_id, action)',
  ...(engine === 'sqlite' ? words : []),
]);
