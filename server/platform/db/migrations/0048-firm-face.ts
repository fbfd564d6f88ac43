// What the firm shows of itself: name, colour, logo, where it is and what it says to whoever signs in.
import { statements } from './dialect.ts';

const EMPTY = ['name', 'accent', 'address', 'phone', 'welcome'];

export const firmFace = statements(({ text }) => [
  ...EMPTY.map((column) => `alter table firm_settings add column ${column} ${text} not null default ''`),
  // When the face was last changed, and by whom: who is deleted is not named.
  `alter table firm_settings add column changed_at bigint`,
  `alter table firm_settings add column changed_by_id bigint`,
  `alter table firm_settings add column logo_id ${text}`,
  `alter table firm_settings add column logo_width bigint`,
  `alter table firm_settings add column logo_height bigint`,
  // A PNG as base64, last: what is before it is read without it.
  `alter table firm_settings add column logo ${text}`,
]);
