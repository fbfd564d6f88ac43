// The floor: the measured routes written by hand on bare Fastify and prepared statements, over the same database.
import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import multipart, { type MultipartFile } from '@fastify/multipart';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { openFloorDatabase } from './floor-database.ts';
import { clientSchema, fileSchema, overviewSchema } from './floor-schemas.ts';
import { floorStatements } from './floor-statements.ts';
import { FLOOR_BLOBS } from './settings.ts';

const [, , databaseUrl = '', dataDir = ''] = process.argv;
const database = openFloorDatabase(databaseUrl);
const sql = floorStatements(database.kind);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const derive = promisify(argon2);

interface Viewer {
  id: number;
  fullName: string;
  reach: 'all' | 'lists';
}

const DAY_MS = 24 * 60 * 60_000;
const NEW_FILE_DAYS = 60;
const LATEST = 10;
/** So many entries of the log are read at first to tell the latest acts, and so many where those are too few. */
const ENTRIES = [20, 100] as const;

async function viewerOf(request: FastifyRequest): Promise<Viewer> {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const now = Date.now();
  const [viewer] = await database.rows<Viewer>(sql.viewerByToken, {
    token: sha256(token),
    createdAfter: now - 30 * DAY_MS,
    seenAfter: now - 7 * DAY_MS,
  });
  if (viewer === undefined) throw Object.assign(new Error('Not signed in'), { statusCode: 401 });
  return viewer;
}

/** The viewer's values that a statement needs to judge one row. */
const reachOf = ({ id, reach }: Viewer) => ({ me: id, all: reach === 'all' ? 1 : 0 });

function missing(): Error {
  return Object.assign(new Error('Not found'), { statusCode: 404 });
}

interface FileRecord {
  at: number;
  corrects: string | object | null;
  correctedBy: string | object | null;
  [column: string]: unknown;
}

function toFile(row: FileRecord): FileRecord {
  const uploadedAt = new Date(row.at).toISOString();
  row['uploadedAt'] = uploadedAt;
  row['createdAt'] = uploadedAt;
  if (typeof row.corrects === 'string') row.corrects = JSON.parse(row.corrects) as object;
  if (typeof row.correctedBy === 'string') {
    const later = JSON.parse(row.correctedBy) as { at: number };
    row.correctedBy = { ...later, uploadedAt: new Date(later.at).toISOString() };
  }
  return row;
}

/** Who is told of files, and since when they may be new. */
const toldTo = ({ id }: Viewer) => ({ me: id, newSince: Date.now() - NEW_FILE_DAYS * DAY_MS });

const app = Fastify({ logger: false, bodyLimit: 4 * 1024 ** 3 });
await app.register(multipart, { throwFileSizeLimit: false, limits: { fileSize: Number.POSITIVE_INFINITY } });

app.get<{ Querystring: { clientId?: string; reportTypeId?: string; limit?: string } }>(
  '/api/files',
  { schema: { response: { 200: { type: 'array', items: fileSchema } } } },
  async (request, reply) => {
    const viewer = await viewerOf(request);
    const { id: me, reach } = viewer;
    const { clientId, reportTypeId } = request.query;
    const limit = Number(request.query.limit ?? 1000);
    const ask = (files: keyof typeof sql, count: keyof typeof sql, values: Record<string, number>) =>
      Promise.all([
        database.rows<{ n: number }>(sql[count], values),
        database.rows<FileRecord>(sql[files], { ...values, ...toldTo(viewer), limit }),
      ]);
    const [[count], files] =
      clientId !== undefined && reportTypeId !== undefined
        ? await ask('filesOfPair', 'countOfPair', {
            me,
            clientId: Number(clientId),
            reportTypeId: Number(reportTypeId),
          })
        : reach === 'all'
          ? await ask('filesOfAll', 'countOfAll', {})
          : await ask('filesOfLists', 'countOfLists', { me });
    reply.header('x-total-count', count?.n);
    return files.map(toFile);
  },
);

interface ClientRecord {
  changedAt: number | null;
  [column: string]: unknown;
}

app.get<{ Params: { id: string } }>(
  '/api/clients/:id',
  { schema: { response: { 200: clientSchema } } },
  async (request) => {
    const viewer = await viewerOf(request);
    const asked = { id: Number(request.params.id), ...reachOf(viewer) };
    const [row] = await database.rows<ClientRecord>(sql.clientById, asked);
    if (row === undefined) throw missing();
    const { name, address, phone, federalId, stateId, email, employeeCount, startDate, otherNames, changedAt } = row;
    const content = [name, address, phone, federalId, stateId, email, employeeCount, startDate, otherNames].join('\n');
    row['version'] = `${changedAt ?? 0}-${crc32(content).toString(36)}`;
    row['otherNames'] = JSON.parse(String(otherNames));
    return row;
  },
);

interface ActivityRecord {
  action: string;
  userId: number | null;
  fileId: number | null;
  at: number;
  announcedOnly: number | boolean;
  timestamp?: string;
  alsoWrote?: number;
  alsoOfBatch?: number;
}

/** What one act wrote at one moment is one of them. Null where more entries would tell more. */
function latestActs(entries: readonly ActivityRecord[], mostRead: number): ActivityRecord[] | null {
  const acts: ActivityRecord[] = [];
  for (const entry of entries) {
    if (entry.announcedOnly) continue;
    const last = acts.at(-1);
    const isSame = (key: 'action' | 'userId' | 'fileId' | 'at') => last?.[key] === entry[key];
    if (last && isSame('action') && isSame('userId') && isSame('fileId') && isSame('at')) {
      last.alsoWrote = (last.alsoWrote ?? 0) + 1;
    } else if (acts.length === LATEST) return acts;
    else acts.push(Object.assign(entry, { timestamp: new Date(entry.at).toISOString(), alsoWrote: 0, alsoOfBatch: 0 }));
  }
  return entries.length < mostRead ? acts : null;
}

async function readLatestActs(): Promise<ActivityRecord[]> {
  const [few, most] = ENTRIES;
  const acts = latestActs(await database.rows<ActivityRecord>(sql.newestActivity, { limit: few }), few);
  if (acts !== null) return acts;
  const all = await database.rows<ActivityRecord>(sql.newestActivity, { limit: most });
  return latestActs(all, most + 1) ?? [];
}

app.get('/api/overview', { schema: { response: { 200: overviewSchema } } }, async (request) => {
  const viewer = await viewerOf(request);
  if (viewer.reach !== 'all') throw missing();
  const [[totals], recentActivity, uploads, [backup]] = await Promise.all([
    database.rows(sql.totals),
    readLatestActs(),
    database.rows<FileRecord>(sql.filesOfAll, { ...toldTo(viewer), limit: LATEST }),
    database.rows(sql.newestBackup),
  ]);
  if (backup !== undefined) throw new Error('The floor knows of no backup');
  return { totals, recentActivity, recentUploads: uploads.map(toFile), backup: null };
});

async function isRight(password: string, stored: string): Promise<boolean> {
  const [, , , parameters = '', salt = '', expected = ''] = stored.split('$');
  const cost = Object.fromEntries(parameters.split(',').map((pair) => pair.split('='))) as Record<string, string>;
  const wanted = Buffer.from(expected, 'base64');
  const derived = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(cost['m']),
    passes: Number(cost['t']),
    parallelism: Number(cost['p']),
    tagLength: wanted.length,
  });
  return timingSafeEqual(derived, wanted);
}

interface UserRecord {
  id: number;
  passwordHash: string;
  roleId: number;
  roleName: string;
  roleKey: string | null;
}

app.post<{ Body: { username: string; password: string } }>('/api/auth/login', async (request, reply) => {
  const { username, password } = request.body;
  const [found] = await database.rows<UserRecord>(sql.userByName, { key: username.toLowerCase() });
  if (found === undefined || !(await isRight(password, found.passwordHash))) {
    throw Object.assign(new Error('Refused'), { statusCode: 401 });
  }
  const { id, passwordHash: _hash, ...user } = found;
  const [token, cookie] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  await database.transaction((rows) =>
    Promise.resolve(rows(sql.insertSession, { id, token: sha256(token), cookie: sha256(cookie), now: Date.now() })),
  );
  reply.header('set-cookie', `coffer_files=${cookie}; Path=/api/files; HttpOnly; SameSite=Strict`);
  const [capabilities, clientIds, reportTypeIds] = await Promise.all([
    database.rows<{ capability: string }>(sql.capabilitiesOf, { roleId: user.roleId }),
    database.rows<{ id: number }>(sql.clientIdsOf, { id }),
    database.rows<{ id: number }>(sql.reportTypeIdsOf, { id }),
  ]);
  return {
    token,
    user: {
      id,
      ...user,
      role: { id: user.roleId, name: user.roleName },
      capabilities: capabilities.map((row) => row.capability),
      clientIds: clientIds.map((row) => row.id),
      reportTypeIds: reportTypeIds.map((row) => row.id),
      commonRouting: user.roleKey !== 'admin',
    },
  };
});

/** The bytes as they are on the disk, in plain whatever the application keeps: nothing verified, no entry in the log. */
app.get('/api/files/:id/download', async (request: FastifyRequest, reply: FastifyReply) => {
  const viewer = await viewerOf(request);
  const { id } = request.params as { id: string };
  const [file] = await database.rows<{ storageKey: string; sizeBytes: number; originalName: string }>(sql.storedFile, {
    id: Number(id),
    ...reachOf(viewer),
  });
  if (file === undefined) throw missing();
  const { storageKey } = file;
  reply.hijack();
  reply.raw.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': file.sizeBytes,
    'content-disposition': `attachment; filename="${file.originalName}"`,
  });
  createReadStream(join(blobs, storageKey)).pipe(reply.raw);
});

// One folder for all files of the floor, kept open to be flushed.
const [staging, blobs] = [join(dataDir, 'floor-staging'), join(dataDir, FLOOR_BLOBS)];
for (const path of [staging, blobs]) mkdirSync(path, { recursive: true });
const blobFolder = await open(blobs, 'r');

/** Hashed while it is written, flushed, and moved to its place, which is flushed too. */
async function storeFile({ file: source }: MultipartFile) {
  const storageKey = randomBytes(16).toString('hex');
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(join(staging, storageKey), 'wx', 0o600);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const written = file.write(chunk);
    hash.update(chunk);
    size += chunk.length;
    await written;
  }
  await file.sync();
  await file.close();
  await rename(join(staging, storageKey), join(blobs, storageKey));
  await blobFolder.sync();
  return { storageKey, sha256: hash.digest('hex'), size };
}

app.post('/api/files', { schema: { response: { 201: fileSchema } } }, async (request, reply) => {
  const viewer = await viewerOf(request);
  const fields: Record<string, string> = {};
  let stored: Awaited<ReturnType<typeof storeFile>> | undefined;
  let sent = { name: '', contentType: '' };
  for await (const part of request.parts()) {
    if (part.type === 'field') fields[part.fieldname] = String(part.value);
    else {
      stored = await storeFile(part);
      sent = { name: part.filename, contentType: part.mimetype };
    }
  }
  if (stored === undefined) throw Object.assign(new Error('No file'), { statusCode: 400 });
  const ids = { clientId: Number(fields['clientId']), reportTypeId: Number(fields['reportTypeId']) };
  const [client] = await database.rows<{ name: string }>(sql.uploadTarget, { ...ids, ...reachOf(viewer) });
  if (client === undefined) throw missing();
  const { name } = sent;
  const details = `Uploaded file: ${name}`;
  const who = { me: viewer.id, fullName: viewer.fullName, now: Date.now() };
  const row = await database.transaction(async (rows) => {
    await rows(sql.insertBlob, { ...stored, now: who.now });
    const [file] = await rows<{ id: number }>(sql.insertFile, {
      ...stored,
      ...ids,
      ...who,
      ...sent,
      nameKey: name.toLowerCase(),
    });
    if (file === undefined) throw new Error('No row');
    await rows(sql.insertActivity, {
      ...who,
      fileId: file.id,
      name,
      details,
      clientId: ids.clientId,
      clientName: client.name,
      searchText: [details, name, viewer.fullName, client.name].join('\n').toLowerCase(),
    });
    await rows(sql.countActivity, { me: viewer.id, clientId: ids.clientId });
    return (await rows<FileRecord>(sql.fileById, { id: file.id, ...toldTo(viewer) }))[0];
  });
  if (row === undefined) throw new Error('No row');
  return reply.status(201).send(toFile(row));
});

process.on('SIGTERM', () => process.exit(0));
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`The floor is on ${origin}\n`);
