// What each person has chosen of how the portal looks and where it begins: one row of JSON a person.
import { statements } from './dialect.ts';

export const preferences = statements(({ text }) => [
  `create table preferences (
    user_id bigint not null primary key references users (id) on delete cascade,
    choices ${text} not null
  )`,
]);
