// What the firm has decided for everybody, as it holds now: by its own switch, or because the server is set up so.
import type { FirmSettings } from '#contract/firm-settings.ts';
import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ReadScope } from './scope.ts';
import { versionOf } from './versions.ts';

const columns = [
  'four_eyes',
  'support_email',
  'name',
  'accent',
  'address',
  'phone',
  'welcome',
  'changed_at',
  'logo_id',
  'logo_width',
  'logo_height',
] as const;

/** What the firm shows of itself, as a form has it: all that the version of the settings is made of. */
type Shown = Pick<FirmSettings, 'supportEmail' | 'name' | 'accent' | 'address' | 'phone' | 'welcome' | 'logo'>;

const versionOfShown = (changedAt: number | null, shown: Shown) =>
  versionOf(changedAt, [
    // Of several lines, some of them.
    ...[shown.supportEmail, shown.name, shown.accent, shown.address, shown.phone, shown.welcome].map((text) =>
      JSON.stringify(text),
    ),
    shown.logo?.id ?? '',
  ]);

export async function readFirmSettings(
  scope: ReadScope,
  config: Pick<Config, 'fourEyes' | 'supportEmail' | 'productName'>,
): Promise<FirmSettings> {
  const row = await scope.firmSettings().select(columns).executeTakeFirst();
  const shown = {
    supportEmail: row?.support_email ?? '',
    name: row?.name ?? '',
    accent: row?.accent ?? '',
    address: row?.address ?? '',
    phone: row?.phone ?? '',
    welcome: row?.welcome ?? '',
    logo: logoOf(row),
  };
  return {
    ...shown,
    fourEyes: config.fourEyes || row?.four_eyes === 1,
    fourEyesFixed: config.fourEyes,
    supportEmailOfServer: config.supportEmail ?? null,
    nameOfServer: config.productName,
    version: versionOfShown(row?.changed_at ?? null, shown),
  };
}

interface LogoColumns {
  readonly logo_id: string | null;
  readonly logo_width: number | null;
  readonly logo_height: number | null;
}

function logoOf(row: LogoColumns | undefined): FirmSettings['logo'] {
  if (row === undefined || row.logo_id === null) return null;
  return { id: row.logo_id, width: row.logo_width ?? 0, height: row.logo_height ?? 0 };
}

/** What anybody may see of the firm, with what the server is set up with where the firm has said nothing. */
export interface Face extends Pick<FirmSettings, 'accent' | 'address' | 'phone' | 'welcome' | 'logo'> {
  readonly name: string;
  /** Where people write to who need help; empty where nobody is named. */
  readonly support: string;
}

type FaceConfig = Pick<Config, 'supportEmail' | 'productName'>;

/** Of a firm that has said nothing of itself. */
export const faceOfServer = ({ productName, supportEmail = '' }: FaceConfig): Face => ({
  name: productName,
  support: supportEmail,
  accent: '',
  address: '',
  phone: '',
  welcome: '',
  logo: null,
});

/** For so long a process may still show what another one has changed. */
const KEPT_MS = 5_000;

/** What the firm shows of itself: known without a viewer, since it stands on the sign-in page and in mails. */
export class FirmFace {
  readonly #database: Pick<Database, 'reader'>;
  readonly #ofServer: Face;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #known: { readonly face: Promise<Face>; readonly atMs: number } | null = null;
  /** The bytes that were asked for last. */
  #logo: { readonly id: string; readonly png: Buffer } | null = null;

  constructor(database: Pick<Database, 'reader'>, config: FaceConfig, clock: Pick<Clock, 'nowMs'>) {
    this.#database = database;
    this.#ofServer = faceOfServer(config);
    this.#clock = clock;
  }

  /** Rejects where the database cannot be read. */
  get(): Promise<Face> {
    const atMs = this.#clock.nowMs();
    if (this.#known === null || atMs - this.#known.atMs > KEPT_MS) {
      const face = this.#read();
      this.#known = { face, atMs };
      face.catch(() => this.forget());
    }
    return this.#known.face;
  }

  /** The bytes of the logo that `get` names, or null where there is none. Rejects where the database cannot be read. */
  async logo(): Promise<{ readonly id: string; readonly png: Buffer } | null> {
    const { logo } = await this.get();
    if (logo === null) return null;
    if (this.#logo?.id !== logo.id) {
      const row = await this.#database.reader
        .selectFrom('firm_settings')
        .select(['logo_id as id', 'logo as png'])
        .executeTakeFirst();
      if (!row?.id || row.png === null) return null;
      this.#logo = { id: row.id, png: Buffer.from(row.png, 'base64') };
    }
    return this.#logo;
  }

  /** To be called where the firm has decided: the next one who asks is told. */
  forget(): void {
    this.#known = null;
  }

  async #read(): Promise<Face> {
    const row = await this.#database.reader.selectFrom('firm_settings').select(columns).executeTakeFirst();
    if (row === undefined) return this.#ofServer;
    const { accent, address, phone, welcome } = row;
    return {
      name: row.name || this.#ofServer.name,
      support: row.support_email || this.#ofServer.support,
      accent,
      address,
      phone,
      welcome,
      logo: logoOf(row),
    };
  }
}
