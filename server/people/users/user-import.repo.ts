// Users of a list: their roles, clients and report types found by name, within the importer's reach, and each row judged.

import { errorCatalogue } from '#contract/errors.ts';
import { FederalId, foldKey } from '#contract/fields.ts';
import { ALL_NAMES, importFaults } from '#contract/imports.ts';
import { seesFederalIds } from '#contract/policy/reach.ts';
import { may, type Proof } from '#contract/policy.ts';
import type { UserImport, UserRow, UserUpdate } from '#contract/users.ts';
import { lookAlikeRefusal } from '../../firm/names/look-alike.ts';
import { param } from '../../platform/db/statement.ts';
import { NewNames } from '../../platform/names/name-forms.ts';
import type { RowFindings } from '../access/import-rows.ts';
import { findRoleFacts } from '../access/role-facts.ts';
import type { WriteScope } from '../access/scope.ts';
import { findInvited, findUser } from './read-users.repo.ts';
import { isSavedAsItIs } from './what-changed.ts';

export type ImportedUser = UserImport['rows'][number];

/** A user of a list as the form would send it, with the proof that the importer may add it. */
export interface ResolvedUser {
  readonly fields: Omit<UserUpdate, 'password' | 'invitation'>;
  readonly proof: Proof<'users.create'>;
}

/** What each row with no fault means; `made` where the same list has made that user before, and its answer was lost. */
export type ResolvedRows = Map<ImportedUser, ResolvedUser | 'made'>;

/** The ids of users whom the same call has made before, by the rows that say the same password. */
export type MadeBefore = ReadonlyMap<ImportedUser, number>;

/** Remembers what `find` answered for a name: many rows have the same. */
function remembered<Found>(find: (name: string) => Promise<Found>): (name: string) => Promise<Found> {
  const known = new Map<string, Found>();
  return async (name) => {
    const key = foldKey(name);
    let found = known.get(key);
    if (found === undefined) {
      found = await find(name);
      known.set(key, found);
    }
    return found;
  };
}

interface Judged {
  readonly id: number;
  /** Null where the importer may not give the role. */
  readonly proof: Proof<'users.create'> | null;
}

/** Finds what a row names of clients and report types, and says what is not there. */
function accessByName(scope: WriteScope) {
  const knowsIds = seesFederalIds(scope.viewer);
  const isFederalId = (name: string) => FederalId.safeParse(name).success;
  const clientsOf = remembered(async (name) => {
    const found = scope.clients().select('clients.id as id').orderBy('clients.id').limit(2);
    const called = await found.where('clients.name_key', '=', foldKey(name)).execute();
    // What is not shown is not to be guessed by importing.
    if (called.length > 0 || !knowsIds || !isFederalId(name)) return called;
    return found.where('clients.federal_id', '=', name).execute();
  });
  const typesOf = remembered((name) =>
    scope
      .reachedReportTypes()
      .select('report_types.id as id')
      .where('report_types.name_key', '=', foldKey(name))
      .execute(),
  );
  const allOf = remembered(async (noun) =>
    noun === 'clients'
      ? scope.clients().select('clients.id as id').execute()
      : scope.reachedReportTypes().select('report_types.id as id').execute(),
  );

  const isAll = (name: string) => foldKey(name) === foldKey(ALL_NAMES);

  async function clientIdsOf(names: readonly string[], findings: RowFindings): Promise<number[]> {
    const ids = new Set<number>();
    for (const name of names) {
      const [first, second] = await clientsOf(name);
      const isTold = knowsIds && !isFederalId(name);
      if (second !== undefined) findings.fault('clients', importFaults.ambiguousClient(name, isTold));
      else if (first !== undefined) ids.add(first.id);
      else if (isAll(name)) for (const { id } of await allOf('clients')) ids.add(id);
      else findings.fault('clients', importFaults.unknownClient(name));
    }
    return [...ids];
  }

  async function reportTypeIdsOf(names: readonly string[], findings: RowFindings): Promise<number[]> {
    const ids = new Set<number>();
    for (const name of names) {
      const [first] = await typesOf(name);
      if (first !== undefined) ids.add(first.id);
      else if (isAll(name)) for (const { id } of await allOf('report types')) ids.add(id);
      else findings.fault('reportTypes', importFaults.unknownReportType(name));
    }
    return [...ids];
  }

  return { clientIdsOf, reportTypeIdsOf };
}

/** Judges users of a list one after another, and keeps in `resolved` what each row with no fault means. */
export function userJudge(scope: WriteScope, resolved: ResolvedRows, madeBefore: MadeBefore) {
  const usernames = new NewNames();
  const fullNames = new NewNames();
  const seen = new Set<string>();
  /** Any one will do to compare names. */
  let anyProof: Proof<'users.create'> | null = null;

  const roleOf = remembered<Judged | null>(async (name) => {
    const role = await scope
      .roles()
      .select('roles.id as id')
      .where('roles.name_key', '=', foldKey(name))
      .executeTakeFirst();
    const facts = role && (await findRoleFacts(scope, role.id));
    if (!(role && facts)) return null;
    const subject = { role: facts, listsReached: true };
    if (!may(scope.viewer, 'users.create', subject)) return { id: role.id, proof: null };
    const proof = scope.authorize('users.create', subject);
    anyProof = proof;
    return { id: role.id, proof };
  });
  const { clientIdsOf, reportTypeIdsOf } = accessByName(scope);

  async function isTaken(username: string): Promise<boolean> {
    const found = await scope.prepared<{ id: number }>(
      'users.taken',
      (sources) => sources.users().select('users.id as id').where('users.username_key', '=', param<string>('key')),
      { key: foldKey(username) },
    );
    return found.length > 0;
  }

  /** Compares both names with the rows before and with who is there. */
  async function judgeNames(row: ImportedUser, findings: RowFindings): Promise<void> {
    const columns = [
      { column: 'users.username', field: 'username', name: row.username, before: usernames },
      { column: 'users.full_name', field: 'fullName', name: row.fullName, before: fullNames },
    ] as const;
    for (const { before, ...given } of columns) {
      const other = before.add(given.name);
      if (other !== null) findings.fault(given.field, importFaults.looksLikeRow(other));
      else if (anyProof !== null) {
        const isReached = async (id: number) => (await findUser(scope, id)) !== null;
        const refusal = await lookAlikeRefusal(scope, anyProof, { ...given, ownId: null, isReached });
        if (refusal !== null) findings.fault(given.field, refusal.message);
      }
    }
  }

  /** Whom the same call has made before: its link tells, which only whoever made it knows, or its key with the password. */
  async function findMade(row: ImportedUser): Promise<UserRow | null> {
    if (row.invitation) return findInvited(scope, row.username, row.invitation);
    const id = madeBefore.get(row);
    return id === undefined ? null : findUser(scope, id);
  }

  return async (row: ImportedUser, findings: RowFindings): Promise<void> => {
    const exists = () => findings.exists('username', errorCatalogue.username_taken.sentence);
    const taken = await isTaken(row.username);
    const made = taken ? await findMade(row) : null;
    if (taken && made === null) return exists();
    const role = await roleOf(row.role);
    if (role === null) findings.fault('role', importFaults.unknownRole(row.role));
    else if (role.proof === null) findings.fault('role', importFaults.roleNotYours(row.role));
    const key = foldKey(row.username);
    if (seen.has(key)) findings.fault('username', importFaults.usernameTwice);
    else if (made === null) await judgeNames(row, findings);
    seen.add(key);
    const { username, fullName, email, invitation } = row;
    const clientIds = await clientIdsOf(row.clients, findings);
    const reportTypeIds = await reportTypeIdsOf(row.reportTypes, findings);
    if (!role?.proof) return;
    const fields = {
      username,
      fullName,
      email,
      roleId: role.id,
      clientIds,
      allClients: false,
      reportTypeIds,
      // Whoever made the list knows the password, so its owner chooses another one first.
      mustChangePassword: !invitation,
    };
    if (made === null) resolved.set(row, { fields, proof: role.proof });
    else if (isSavedAsItIs(made, fields)) resolved.set(row, 'made');
    else exists();
  };
}
