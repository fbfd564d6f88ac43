// How many clients and users are in reach, and what of the first steps is done; files and activity are counted by their own lists.
import { sql } from 'kysely';
import type { Overview } from '#contract/activity.ts';
import type { FirstSteps } from '#contract/first-steps.ts';
import { reachesEveryUser } from '#contract/policy/reach.ts';
import { mayAttempt, type Proof } from '#contract/policy.ts';
import { presentBackup } from '../../audit/backup-runs.ts';
import type { Config } from '../../config.ts';
import { readFirmSettings } from '../../people/access/firm-settings.ts';
import type { ReadScope, WriteScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { rowCount } from '../../platform/db/list.ts';

/** Users are counted for who sees all of them, else null. */
export async function countClientsAndUsers(scope: ReadScope): Promise<{ clients: number; users: number | null }> {
  const [counts] = await scope.prepared('overview.counts', (sources) => {
    const clients = sources.clients().select(rowCount.as('n'));
    const users = reachesEveryUser(scope.viewer) ? sources.users().select(rowCount.as('n')) : sql`null`;
    return sources.query(
      sql<{ clients: number; users: number | null }>`select (${clients}) as clients, (${users}) as users`,
    );
  });
  return counts ?? { clients: 0, users: null };
}

/** The Client users with a client and a report type in their lists. */
const clientUsersWithLists = (scope: ReadScope) =>
  scope
    .users()
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .where('roles.system_key', '=', 'client')
    .where((eb) => eb.exists(eb.selectFrom('user_clients').select('client_id').whereRef('user_id', '=', 'users.id')))
    .where((eb) =>
      eb.exists(eb.selectFrom('user_report_types').select('report_type_id').whereRef('user_id', '=', 'users.id')),
    );

/** What of the first steps is done, for who sees everybody and everything. */
export async function readFirstSteps(
  scope: ReadScope,
  config: Pick<Config, 'fourEyes' | 'supportEmail' | 'productName'>,
): Promise<FirstSteps> {
  const decided = await scope.firmSettings().select('first_steps_dismissed as dismissed').executeTakeFirst();
  if (decided?.dismissed === 1) return { steps: null };
  const { supportEmail, supportEmailOfServer } = await readFirmSettings(scope, config);
  // Whoever else there is was added by somebody, who gave them their password.
  const first = await scope.users().select('users.id').orderBy('users.id').limit(1).executeTakeFirst();
  const changed = await scope
    .ownSecurityEvents()
    .select('id')
    .where('kind', 'in', ['password_changed', 'password_reset'])
    .limit(1)
    .executeTakeFirst();
  const type = await scope.reportTypes().select('report_types.id').limit(1).executeTakeFirst();
  const client = await scope.clients().select('clients.id').limit(1).executeTakeFirst();
  const clientUser = await clientUsersWithLists(scope).select('users.id').limit(1).executeTakeFirst();
  const sees =
    clientUser &&
    (await clientUsersWithLists(scope)
      .select(['users.id as id', 'users.username as username', 'users.full_name as fullName'])
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('user_clients')
            .innerJoin('user_report_types', 'user_report_types.user_id', 'user_clients.user_id')
            .innerJoin('file_counts', (join) =>
              join
                .onRef('file_counts.client_id', '=', 'user_clients.client_id')
                .onRef('file_counts.access_key', '=', 'user_report_types.report_type_id'),
            )
            .select('file_counts.n')
            .whereRef('user_clients.user_id', '=', 'users.id')
            .where('file_counts.n', '>', 0),
        ),
      )
      .orderBy('users.id')
      .limit(1)
      .executeTakeFirst());
  return {
    steps: {
      signInChanged: first?.id !== scope.viewer.id || changed !== undefined,
      supportAddress: supportEmail !== '' || supportEmailOfServer !== null,
      reportTypes: type !== undefined,
      clients: client !== undefined,
      clientUser: clientUser !== undefined,
      sees: sees ?? null,
    },
  };
}

/** Puts the guide away for everybody, or brings it back; false where it is so already. */
export async function writeDismissal(
  scope: WriteScope,
  proof: Proof<'first-steps.dismiss'>,
  isDismissed: boolean,
): Promise<boolean> {
  const first_steps_dismissed = isDismissed ? 1 : 0;
  const before = await scope.firmSettings().select('first_steps_dismissed as dismissed').executeTakeFirst();
  if ((before?.dismissed ?? 0) === first_steps_dismissed) return false;
  await scope
    .unscoped(proof)
    .insertInto('firm_settings')
    .values({ id: 1, four_eyes: 0, first_steps_dismissed })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ first_steps_dismissed }))
    .execute();
  return true;
}

const runColumns = ['id', 'place', 'name', 'begun_at', 'ended_at', 'files', 'size_bytes', 'damaged', 'fault'] as const;
const newestRun = (sources: Sources) => sources.backupRuns().select(runColumns).orderBy('id', 'desc').limit(1);

/** How the portal is backed up, for who reads what goes on in the background; null where no backup is set up and none was made. */
export async function readBackup(
  scope: ReadScope,
  config: Pick<Config, 'backup'>,
  nowMs: number,
): Promise<Overview['backup']> {
  if (!mayAttempt(scope.viewer, 'jobs.read')) return null;
  const [tried = null] = await scope.prepared('overview.backup', newestRun);
  if (tried === null && config.backup === null) return null;
  // Mostly the newest is one that came to a backup, and says it all.
  const made = tried?.name === null ? await lastMade(scope) : tried;
  const firmSince = made === null ? await oldestRole(scope) : null;
  return presentBackup({ tried, made, firmSince }, config, nowMs);
}

async function lastMade(scope: ReadScope) {
  const [made = null] = await scope.prepared('overview.backup-made', (sources) =>
    newestRun(sources).where('name', 'is not', null),
  );
  return made;
}

async function oldestRole(scope: ReadScope): Promise<number | null> {
  const [oldest] = await scope.prepared('overview.oldest-role', (sources) =>
    sources.roles().select('roles.created_at as at').orderBy('roles.created_at').limit(1),
  );
  return oldest?.at ?? null;
}
