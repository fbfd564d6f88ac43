// A log of account events that accepts nothing, for tests of what happens then.
import { sql } from 'kysely';
import type { Database } from '../platform/db/database.ts';

const statements = {
  sqlite: {
    refuse: "create trigger no_events before insert on security_events begin select raise(abort, 'no events'); end",
    take: 'drop trigger no_events',
  },
  postgres: {
    refuse: 'alter table security_events add constraint no_events check (id < 0) not valid',
    take: 'alter table security_events drop constraint no_events',
  },
};

/** Makes the database refuse every event, or accept them again. */
export async function refuseSecurityEvents(database: Database, refuse: boolean): Promise<void> {
  const statement = statements[database.kind][refuse ? 'refuse' : 'take'];
  await database.transaction((tx) => sql.raw(statement).execute(tx));
}
