// The tables of the firm: its clients, its report types, what it has settled.
import type { ColumnType, Generated } from 'kysely';
import type { Fixed, LastChanged } from './columns.ts';

interface ClientTable extends LastChanged {
  id: Generated<number>;
  name: string;
  name_key: string;
  name_skeleton: string;
  search_name: string;
  address: string;
  phone: string;
  email: string;
  federal_id: string;
  state_id: string;
  employee_count: number;
  /** YYYY-MM-DD. */
  start_date: string;
  /** A JSON list of texts. */
  other_names: Generated<string>;
  /** Every searchable field as it is searched, one a line (docs/behaviour.md, Lists). */
  search_text: string;
  created_at: Fixed<number>;
}

interface ReportTypeTable extends LastChanged {
  id: Generated<number>;
  /** How long its files are kept, counted from the end of their period; null for ever. */
  retention_years: ColumnType<number | null, never, number | null>;
  name: string;
  name_key: string;
  name_skeleton: string;
  search_name: string;
  created_at: Fixed<number>;
}

interface ReportTypePhraseTable {
  id: Generated<number>;
  report_type_id: Fixed<number>;
  phrase: Fixed<string>;
  /** As recognition compares it. */
  phrase_key: Fixed<string>;
  created_at: Fixed<number>;
}

/** One row, or none as long as nothing is decided. */
interface FirmSettingsTable {
  id: Fixed<1>;
  /** A document of a batch is released by somebody else than who accepted it. */
  four_eyes: 0 | 1;
  /** Where people write to who need help; empty where the firm names nobody. */
  support_email: Generated<string>;
  /** 1 where the guide through an empty firm was put away. */
  first_steps_dismissed: Generated<0 | 1>;
  /** How long files without a report type are kept; null for ever. */
  untyped_retention_years: ColumnType<number | null, number | null | undefined, number | null>;
  /** By which the firm knows its own backups; null before the first one. */
  firm_id: string | null;
  /** What the firm shows of itself; each empty where it has said nothing. */
  name: Generated<string>;
  accent: Generated<string>;
  address: Generated<string>;
  phone: Generated<string>;
  welcome: Generated<string>;
  changed_at: number | null;
  changed_by_id: number | null;
  /** Another one for other bytes; null where there is no logo. */
  logo_id: string | null;
  logo_width: number | null;
  logo_height: number | null;
  /** A PNG that this program wrote, as base64. */
  logo: string | null;
  /** JSON: how often people hear by mail of what who have not chosen (`server/mail/digests/choices.ts`); null as at first. */
  digests: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface TablesOfFirm {
  clients: ClientTable;
  report_types: ReportTypeTable;
  report_type_phrases: ReportTypePhraseTable;
  firm_settings: FirmSettingsTable;
}
