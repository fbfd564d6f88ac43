// What the steps of the schema make of roles, of people and of what they have got used to.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { addOneFile, databaseBefore, stepOver } from '../../testing/older-database.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { skeletonOf } from '../names/name-forms.ts';

describe.each(DATABASE_KINDS)('the schema on %s', (kind) => {
  it('G16: older rows get the skeleton of their names', async () => {
    const names = ['Plain name', '\u0410dmin', 'Sp\u00e4t'];
    const database = await databaseBefore(
      kind,
      '0007-look-alike-names',
      names.flatMap((name) => [
        `insert into roles (name, name_key, reach, created_at) values ('${name}', '${name}', 'lists', 0)`,
        `insert into report_types (name, name_key, created_at) values ('${name}', '${name}', 0)`,
      ]),
    );
    await database.migrate();
    for (const table of ['roles', 'report_types'] as const) {
      const rows = await database.reader.selectFrom(table).select(['name', 'name_skeleton']).orderBy('id').execute();
      expect(rows).toEqual(names.map((name) => ({ name, name_skeleton: skeletonOf(name) })));
    }
  });
});

describe.each(DATABASE_KINDS)('a database with rows on %s', (kind) => {
  it('G14: gives the CPA and the Admin as a capability what the CPA’s system key implied before', async () => {
    const role = (name: string, key: string) =>
      `insert into roles (name, name_key, system_key, reach, created_at) values ('${name}', '${name}', ${key}, 'lists', 1)`;
    const database = await stepOver(kind, '0004-activity-of-clients', [
      role('admin', "'admin'"),
      role('cpa', "'cpa'"),
      role('client', "'client'"),
      role('keeper', 'null'),
      `insert into role_capabilities (role_id, capability) select id, 'files.delete' from roles where name in ('cpa', 'keeper')`,
    ]);
    const held = await database.reader
      .selectFrom('role_capabilities')
      .innerJoin('roles', 'roles.id', 'role_capabilities.role_id')
      .select(['roles.name as name', 'role_capabilities.capability as capability'])
      .orderBy('roles.id')
      .orderBy('role_capabilities.capability')
      .execute();
    expect(held.map(({ name, capability }) => `${name} ${capability}`)).toEqual([
      'admin activity.read-clients',
      'cpa activity.read-clients',
      'cpa files.delete',
      'keeper files.delete',
    ]);
    // The rules of the table are what they were.
    const refused = (values: string) =>
      expect(
        database.transaction((tx) =>
          sql.raw(`insert into role_capabilities (role_id, capability) values ${values}`).execute(tx),
        ),
      ).rejects.toThrow();
    await refused(`((select id from roles where name = 'cpa'), 'files.delete')`);
    await refused(`((select id from roles where name = 'cpa'), 'everything')`);
    await refused(`(999999, 'files.delete')`);
    await database.transaction((tx) => tx.deleteFrom('roles').where('name', '=', 'keeper').execute());
    const left = await database.reader.selectFrom('role_capabilities').select('role_id').execute();
    expect(left).toHaveLength(3);
  });

  it('finds nothing new to those who have an account already, and hears of nothing that was there', async () => {
    const before = Date.now();
    const person = (name: string) =>
      `insert into users (username, username_key, username_skeleton, full_name, full_name_key, full_name_skeleton, password_hash, role_id, created_at)
        select '${name}', '${name}', '${name}', '${name}', '${name}', '${name}', '$argon2id$x', min(id), 5 from roles`;
    const database = await databaseBefore(kind, '0009-blobs', [
      `insert into roles (name, name_key, name_skeleton, reach, created_at) values ('R', 'r', 'r', 'lists', 0)`,
      person('early'),
    ]);
    await database.migrate();
    const changes = () => database.reader.selectFrom('changes').select(['topic', 'kind']).execute();
    expect(await changes()).toEqual([]);
    await database.transaction((tx) => sql.raw(person('late')).execute(tx));
    const people = await database.reader.selectFrom('users').select(['username', 'news_since']).orderBy('id').execute();
    expect(people).toEqual([
      { username: 'early', news_since: expect.any(Number) },
      { username: 'late', news_since: null },
    ]);
    expect(people[0]?.news_since).toBeGreaterThanOrEqual(before - 1_000);
    expect(people[0]?.news_since).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await changes()).toEqual([{ topic: 'users', kind: 'changed' }]);
  });

  it.each([false, true])('leads nobody through the first steps who works already: files there: %s', async (works) => {
    const database = await databaseBefore(kind, '0034-first-steps', []);
    if (works) await addOneFile(database);
    await database.migrate();
    const decided = await database.reader
      .selectFrom('firm_settings')
      .select(['id', 'four_eyes', 'support_email', 'first_steps_dismissed', 'firm_id'])
      .execute();
    const settings = { id: 1, four_eyes: 0, support_email: '', first_steps_dismissed: 1, firm_id: null };
    expect(decided).toEqual(works ? [settings] : []);
  });
});
