// What the firm has decided for everybody, as it holds now: by its own switch, or because the server is set up so.
import type { FirmSettings } from '#contract/firm-settings.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { ReadScope } from './scope.ts';

export async function readFirmSettings(
  scope: ReadScope,
  config: Pick<Config, 'fourEyes' | 'supportEmail'>,
): Promise<FirmSettings> {
  const row = await scope.firmSettings().select(['four_eyes', 'support_email']).executeTakeFirst();
  return {
    fourEyes: config.fourEyes || row?.four_eyes === 1,
    fourEyesFixed: config.fourEyes,
    supportEmail: row?.support_email ?? '',
    supportEmailOfServer: config.supportEmail ?? null,
  };
}

/** For so long a process may still name an address that another one has changed. */
const KEPT_MS = 5_000;

/** Where people write to who cannot sign in: known without a viewer, since it stands on the sign-in page. */
export class SupportAddress {
  readonly #database: Pick<Database, 'reader'>;
  readonly #ofServer: string;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #known: { readonly address: Promise<string>; readonly atMs: number } | null = null;

  constructor(database: Pick<Database, 'reader'>, config: Pick<Config, 'supportEmail'>, clock: Pick<Clock, 'nowMs'>) {
    this.#database = database;
    this.#ofServer = config.supportEmail ?? '';
    this.#clock = clock;
  }

  /** The firm's, else that of the server; empty where neither names one. Rejects where the database cannot be read. */
  get(): Promise<string> {
    const atMs = this.#clock.nowMs();
    if (this.#known === null || atMs - this.#known.atMs > KEPT_MS) {
      const address = this.#read();
      this.#known = { address, atMs };
      address.catch(() => this.forget());
    }
    return this.#known.address;
  }

  /** To be called where the firm has decided: the next one who asks is told. */
  forget(): void {
    this.#known = null;
  }

  async #read(): Promise<string> {
    const row = await this.#database.reader.selectFrom('firm_settings').select('support_email').executeTakeFirst();
    return row?.support_email || this.#ofServer;
  }
}
