// Hears from PostgreSQL when any process has committed a change: one listening connection, and a look now and then besides.
import pg from 'pg';

/** What every process announces its commits on. */
export const CHANGES_CHANNEL = 'coffer_changes';
const APPLICATION = 'coffer-changes';
/** In case an announcement is lost with its connection. */
const LOOK_EVERY_MS = 10_000;
/** Where nothing announces: the embedded engine, and while there is no connection. */
const LOOK_OFTEN_MS = 1_000;

/** Calls `wake` after each commit that wrote a change; `url` is null for the embedded engine. The answer stops it. */
export function watchPostgresChanges(url: string | null, wake: () => void): () => Promise<void> {
  let client: pg.Client | null = null;
  let over = false;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (over) return;
    wake();
    if (client === null && url !== null) void listen(url);
    timer = setTimeout(look, client === null ? LOOK_OFTEN_MS : LOOK_EVERY_MS).unref();
  }

  async function listen(connectionString: string): Promise<void> {
    // A connection that goes silent is noticed by the system: a proxy in between may have forgotten it.
    const opened = new pg.Client({ connectionString, application_name: APPLICATION, keepAlive: true });
    const lost = () => {
      void opened.end().catch(() => {});
      if (client !== opened) return;
      client = null;
      clearTimeout(timer);
      if (!over) timer = setTimeout(look, LOOK_OFTEN_MS).unref();
    };
    client = opened;
    opened.on('error', lost);
    opened.on('end', lost);
    opened.on('notification', wake);
    try {
      await opened.connect();
      await opened.query(`listen ${CHANGES_CHANNEL}`);
      // What was committed before somebody listened.
      wake();
    } catch {
      lost();
    }
    if (over) lost();
  }

  look();
  return async () => {
    over = true;
    clearTimeout(timer);
    const held = client;
    client = null;
    await held?.end().catch(() => {});
  };
}
