// The tables of people: their roles, what they reach, what they prefer.
import type { ColumnType, Generated } from 'kysely';
import type { Capability, Reach, SystemRole } from '#contract/policy/actor.ts';
import type { Fixed, LastChanged } from './columns.ts';

interface RoleTable extends LastChanged {
  id: Generated<number>;
  name: string;
  name_key: string;
  /** What the name looks like (`look-alike.ts`). */
  name_skeleton: string;
  /** The name as it is searched (`contract/search.ts`). */
  search_name: string;
  system_key: Fixed<SystemRole | null>;
  reach: Reach;
  created_at: Fixed<number>;
}

interface RoleCapabilityTable {
  role_id: Fixed<number>;
  capability: Fixed<Capability>;
}

interface UserTable extends LastChanged {
  id: Generated<number>;
  username: string;
  username_key: string;
  username_skeleton: string;
  full_name: string;
  full_name_key: string;
  full_name_skeleton: string;
  /** Full name and user name as they are searched, one a line. */
  search_name: string;
  /** Empty where nobody has said. */
  email: Generated<string>;
  /** Of somebody who was invited and has not joined, one that no password is behind. */
  password_hash: string;
  role_id: number;
  /** 1 where `user_clients` names every client: whoever adds a client adds it there. */
  all_clients: Generated<0 | 1>;
  /** 1 where sessions do nothing before the password is changed. */
  must_change_password: Generated<0 | 1>;
  created_at: Fixed<number>;
  /** From when on files are new to the person; null for the creation of the account. */
  news_since: ColumnType<number | null, number | null | undefined, never>;
  /** Of the key and the person that the list with this user came with; null where it came without a key. */
  idempotency_key: ColumnType<string | null, string | null | undefined, never>;
}

interface UserClientTable {
  user_id: Fixed<number>;
  client_id: Fixed<number>;
}

interface UserReportTypeTable {
  user_id: Fixed<number>;
  report_type_id: Fixed<number>;
}

interface PreferenceTable {
  user_id: Fixed<number>;
  /** JSON: the contract's `Preferences`. */
  choices: string;
}

export interface TablesOfPeople {
  roles: RoleTable;
  role_capabilities: RoleCapabilityTable;
  users: UserTable;
  user_clients: UserClientTable;
  user_report_types: UserReportTypeTable;
  preferences: PreferenceTable;
}
