// Where people write to who need help, as the firm decides it, and whether the guide through an empty firm was put away.
import { statements } from './dialect.ts';

export const firstSteps = statements(({ text }) => [
  // Empty where the firm names none.
  `alter table firm_settings add column support_email ${text} not null default ''`,
  `alter table firm_settings add column first_steps_dismissed bigint not null default 0
    constraint firm_settings_first_steps check (first_steps_dismissed in (0, 1))`,
  // Who works already is not led through an empty firm.
  `insert into firm_settings (id, four_eyes, first_steps_dismissed)
    select 1, 0, 1 where exists (select 1 from files)
    on conflict (id) do update set first_steps_dismissed = 1`,
]);
