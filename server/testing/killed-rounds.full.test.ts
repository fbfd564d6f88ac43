// Fault 1: a server that is killed by kill -9 at a random instant of uploads, deletions and releases, round after round. KILL_ROUNDS says how many rounds.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: the instant of a kill is random, and nothing is judged by it
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import type { BatchFileAdded, BatchRow } from '#contract/batches.ts';
import type { FileRow } from '#contract/files.ts';
import { readConfig } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { openDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { eventually } from './eventually.ts';
import { type Firm, makeFirm } from './firm.ts';
import { expectOneEntryEach, expectSweptClean, onceAlone } from './nothing-half-done.ts';
import { CHEAP_HASHES, LOOK_ROUND_SOON } from './preloads.ts';
import { Program } from './program.ts';
import { CHOSEN_PASSWORD, signIn } from './sign-in.ts';
import { sha256 } from './stored.ts';
import { Caller } from './test-app.ts';
import { openTestDatabase, SHARED_KINDS } from './test-database.ts';

const ROUNDS = { sqlite: 200, postgres: 40 };
const asked = Number(process.env['KILL_ROUNDS'] ?? 0);

const UPLOADS = 20;
const DELETIONS = 3;
const DOCUMENTS = 3;
/** Longer than the work of a round takes, so that some kills come when all is done. */
const KILLED_WITHIN_MS = 250;
/** Each compares all that the rounds before it have stored: the later ones take longest. */
const ROUND_MS_MOST = 30_000;
/** The longest is in several pieces. */
const SIZES = [1, 3_000, 70_000, 700_000];

interface Upload {
  readonly name: string;
  readonly key: string;
  readonly bytes: Buffer;
  /** Null where no answer came. */
  id: number | null;
}

interface Round {
  readonly uploads: readonly Upload[];
  /** Ids of files that were to be deleted, with what was answered. */
  readonly deletions: { readonly id: number; isAnswered: boolean }[];
}

/** Whoever calls a server that is killed gets no answer; what it answers before has to be what was wanted. */
async function answered<Answer extends { readonly status: number }>(status: number, call: Promise<Answer>) {
  const answer = await call.catch(() => null);
  if (answer === null) return null;
  expect(answer.status).toBe(status);
  return answer;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.each(SHARED_KINDS)('a server on %s that is killed at any instant', (kind) => {
  const count = asked || ROUNDS[kind];
  const timeout = Math.max(3_600_000, count * ROUND_MS_MOST);

  it('has every upload that it answered, whole, and nothing twice or half', { timeout }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-rounds-'));
    folders.push(folder);
    const made = await openTestDatabase(kind, join(folder, 'coffer.db'), { migrated: true });
    await made.database.close();
    const url = made.url ?? '';
    const environment = { DATA_DIR: folder, DATABASE_URL: url, ADMIN_PASSWORD: CHOSEN_PASSWORD, SEARCH_INSIDE: 'off' };
    const config = readConfig(environment);
    const start = () =>
      new Program([...LOOK_ROUND_SOON, ...CHEAP_HASHES, 'server/main.ts'], {
        ...environment,
        PORT: '0',
        LOG_LEVEL: 'error',
      });
    let program = start();
    try {
      const origin = await program.serving();
      const login = async (username: string, password: string) => (await signIn(origin, username, password)).caller;
      const { token } = await login('admin', CHOSEN_PASSWORD);
      let admin = new Caller(origin, token);
      const firm = await makeFirm({ admin, login });
      let kept: Upload[] = [];
      const rounds: Round[] = [];
      const documents: number[] = [];
      for (let nth = 0; nth < count; nth += 1) {
        const batch = await batchToRelease(admin, url, firm);
        documents.push(...batch.documents);
        await resend(admin, firm, rounds.at(-1));
        kept.push(...(rounds.at(-1)?.uploads ?? []));
        const round = newRound(nth, kept);
        rounds.push(round);
        // Alone, so that it is begun when the uploads come.
        expect((await admin.post(`/api/batches/${batch.id}/release`, {})).status).toBe(200);
        const calls = [
          ...round.uploads.map((one) => send(admin, firm, one)),
          ...round.deletions.map(async (one) => {
            one.isAnswered = (await answered(204, admin.delete(`/api/files/${one.id}`))) !== null;
          }),
        ];
        await setTimeout(randomInt(KILLED_WITHIN_MS));
        await program.end('SIGKILL');
        await Promise.all(calls);
        await onceAlone(config, async (database, blobs) => {
          await expectSweptClean(config, database, blobs);
          await expectRound(database, blobs, round);
          await expectOneEntryEach(database);
          await letMinutesPass(database);
        });
        // Whether it was answered or not, it may be done.
        const deleted = new Set(round.deletions.map(({ id }) => id));
        kept = kept.filter(({ id }) => id === null || !deleted.has(id));
        program = start();
        admin = new Caller(await program.serving(), token);
      }
      await resend(admin, firm, rounds.at(-1));
      await eventually(async () => {
        const { body } = await admin.get<{ readonly state: string }[]>('/api/batches?limit=1000');
        expect(body.filter(({ state }) => state !== 'released')).toEqual([]);
      });
      expect(await program.end('SIGTERM')).toBe(0);
      await onceAlone(config, async (database, blobs) => {
        await expectSweptClean(config, database, blobs);
        for (const round of rounds) await expectRound(database, blobs, round);
        await expectOneEntryEach(database);
        const { rows } = await sql<{ n: number }>`select cast(count(distinct released_file_id) as bigint) as n
          from batch_documents where state = 'released'`.execute(database.reader);
        expect(Number(rows[0]?.n)).toBe(documents.length);
      });
    } finally {
      await program.end('SIGKILL');
      await made.drop();
    }
  });
});

function newRound(nth: number, kept: readonly Upload[]): Round {
  const uploads = Array.from({ length: UPLOADS }, (_, index) => ({
    name: `round ${nth} file ${index}.bin`,
    key: randomUUID(),
    bytes: randomBytes(SIZES[index % SIZES.length] ?? 1),
    id: null,
  }));
  const deletions = kept.flatMap(({ id }) => (id === null ? [] : [{ id, isAnswered: false }]));
  return { uploads, deletions: deletions.slice(0, DELETIONS) };
}

async function send(admin: Caller, firm: Firm, one: Upload): Promise<void> {
  const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
  const { name, bytes, key } = one;
  const headers = { 'idempotency-key': key };
  const answer = await answered(201, admin.upload<FileRow>({ name, bytes, fields, headers }));
  if (answer !== null) one.id = answer.body.id;
}

/** As a browser does: what was not answered is sent again under its key, and is there once, whether it was stored or not. */
async function resend(admin: Caller, firm: Firm, round: Round | undefined): Promise<void> {
  const missing = (round?.uploads ?? []).filter(({ id }) => id === null);
  await Promise.all(missing.map((one) => send(admin, firm, one)));
  expect(missing.filter(({ id }) => id === null)).toEqual([]);
}

/** As if the minute had passed for which a killed process is believed to live, with what it took and had not begun. */
async function letMinutesPass(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`update jobs set lease_until = 0 where state = 'running'`.execute(tx);
    await sql`update jobs set delivered_at = null where state = 'waiting'`.execute(tx);
  });
}

/** A batch of files that are a document each, read and accepted. */
async function batchToRelease(admin: Caller, url: string, firm: Firm) {
  const { body: batch } = await admin.post<BatchRow>('/api/batches', { name: 'Run' });
  const files: number[] = [];
  for (let nth = 0; nth < DOCUMENTS; nth += 1) {
    const path = `/api/batches/${batch.id}/files`;
    const bytes = `document ${batch.id} ${nth}`;
    const { body } = await admin.upload<BatchFileAdded>({ path, name: `${batch.id}-${nth}.txt`, bytes, fields: {} });
    files.push(body.file?.id ?? 0);
  }
  const database = await openDatabase(url);
  await database.transaction(async (tx) => {
    const accepted = files.map((file) => ({
      batch_id: batch.id,
      batch_file_id: file,
      from_page: 0,
      to_page: 0,
      state: 'accepted' as const,
      client_id: firm.clients[0],
      report_type_id: firm.reportTypes[0],
      correction: 0 as const,
      proposal: '{}',
      version: 1,
    }));
    await tx.insertInto('batch_documents').values(accepted).execute();
    await tx.updateTable('batch_files').set({ state: 'read' }).where('batch_id', '=', batch.id).execute();
    await tx.updateTable('batches').set({ state: 'review' }).where('id', '=', batch.id).execute();
  });
  await database.close();
  return { id: batch.id, documents: files };
}

/** I1 and I3: what was answered is there with its bytes; what was not is there once, or not at all. */
async function expectRound(database: Database, blobs: BlobStore, { uploads, deletions }: Round): Promise<void> {
  const names = uploads.map(({ name }) => name);
  const columns = [
    'id',
    'original_name as name',
    'sha256',
    'size_bytes as sizeBytes',
    'storage_key as storageKey',
  ] as const;
  const rows = await database.reader.selectFrom('files').where('original_name', 'in', names).select(columns).execute();
  const trashed = await database.reader
    .selectFrom('trash')
    .where('kind', '=', 'file')
    .select(['item_id as id', 'name'])
    .execute();
  const gone = new Set(trashed.map(({ id }) => id));
  for (const { name, id, bytes } of uploads) {
    const found = rows.filter((row) => row.name === name);
    if (id === null) expect(found.length, name).toBeLessThanOrEqual(1);
    else if (!gone.has(id))
      expect(
        found.map((row) => row.id),
        name,
      ).toEqual([id]);
    for (const row of found) {
      expect([name, row.sha256]).toEqual([name, sha256(bytes)]);
      // Compared with its digest as it is read.
      const read = await blobs.read(row);
      expect(sha256(Buffer.isBuffer(read) ? read : Buffer.concat(await read.toArray()))).toBe(sha256(bytes));
    }
  }
  const left = await database.reader
    .selectFrom('files')
    .where('id', 'in', [0, ...deletions.map(({ id }) => id)])
    .select('id')
    .execute();
  const there = new Set(left.map(({ id }) => id));
  for (const { id, isAnswered } of deletions) {
    expect([id, there.has(id) !== gone.has(id)]).toEqual([id, true]);
    if (isAnswered) expect([id, there.has(id)]).toEqual([id, false]);
  }
}
