// The floor: the measured routes written by hand on bare Fastify and prepared statements, over the same database file.
import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

const [, , databasePath = '', dataDir = ''] = process.argv;
const uploadDir = join(dataDir, 'floor-uploads');
mkdirSync(uploadDir, { recursive: true });

const db = new DatabaseSync(databasePath);
for (const pragma of ['journal_mode = wal', 'synchronous = full', 'busy_timeout = 5000', 'cache_size = -16000']) {
  db.exec(`pragma ${pragma}`);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const derive = promisify(argon2);

interface Viewer {
  id: number;
  fullName: string;
  reach: 'all' | 'lists';
}

const viewerByToken = db.prepare(`
  select u.id, u.full_name as fullName, r.reach from sessions s join users u on u.id = s.user_id join roles r on r.id = u.role_id
  where s.token_hash = ? and s.created_at > ? and s.last_seen_at > ?`);

const DAY_MS = 24 * 60 * 60_000;

function viewerOf(request: FastifyRequest): Viewer {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const now = Date.now();
  const viewer = viewerByToken.get(sha256(token), now - 30 * DAY_MS, now - 7 * DAY_MS) as Viewer | undefined;
  if (viewer === undefined) throw Object.assign(new Error('Not signed in'), { statusCode: 401 });
  return viewer;
}

function missing(): Error {
  return Object.assign(new Error('Not found'), { statusCode: 404 });
}

const text = { type: 'string' };
const integer = { type: 'integer' };
const orNull = (type: string) => ({ type: [type, 'null'] });
const schemaOf = (properties: Record<string, object>) => ({ type: 'object', properties });

const fileSchema = schemaOf({
  id: integer,
  originalName: text,
  size: integer,
  contentType: text,
  sha256: text,
  uploadedAt: text,
  createdAt: text,
  uploadedById: orNull('integer'),
  uploaderName: text,
  clientId: integer,
  clientName: text,
  reportTypeId: orNull('integer'),
  reportTypeName: orNull('string'),
  fileType: text,
  documentType: orNull('string'),
});

const clientSchema = schemaOf({
  id: integer,
  name: text,
  address: text,
  phone: text,
  phoneNumber: text,
  email: text,
  federalId: text,
  stateId: text,
  employeeCount: integer,
  startDate: text,
});

const activitySchema = schemaOf({
  id: integer,
  action: text,
  fileId: orNull('integer'),
  fileName: orNull('string'),
  fileOpens: { type: 'boolean' },
  details: orNull('string'),
  userId: orNull('integer'),
  userName: text,
  clientId: orNull('integer'),
  clientName: orNull('string'),
  timestamp: text,
  announcedOnly: { type: 'boolean' },
});

const overviewSchema = schemaOf({
  totals: schemaOf({ clients: integer, users: integer, files: integer, activity: integer }),
  recentActivity: { type: 'array', items: activitySchema },
  recentUploads: { type: 'array', items: fileSchema },
});

const FILE_COLUMNS = `f.id, f.original_name as originalName, f.size_bytes as size, f.content_type as contentType, f.sha256,
  f.uploaded_at as at, f.uploaded_by_id as uploadedById, coalesce(u.full_name, f.uploader_name) as uploaderName,
  f.client_id as clientId, c.name as clientName, f.report_type_id as reportTypeId, t.name as reportTypeName,
  f.file_type as fileType, f.document_type as documentType`;
const FILE_JOINS = `join clients c on c.id = f.client_id left join report_types t on t.id = f.report_type_id
  left join users u on u.id = f.uploaded_by_id`;
const CLIENT_REACHED = 'exists (select 1 from user_clients where user_id = :me and client_id = f.client_id)';
const KIND_REACHED = `(f.file_type = 'company_document'
  or exists (select 1 from user_report_types where user_id = :me and report_type_id = f.report_type_id)
  or (f.file_type = 'report' and f.report_type_id is null and f.uploaded_by_id = :me))`;
const NEWEST = 'order by f.uploaded_at desc, f.id desc limit :limit';

// Whether the chosen client and type are reached does not change from row to row, so it is asked once.
const PAIR_REACHED = `f.client_id = :clientId and f.report_type_id = :reportTypeId
  and exists (select 1 from user_clients where user_id = :me and client_id = :clientId)
  and exists (select 1 from user_report_types where user_id = :me and report_type_id = :reportTypeId)`;
// The counters call a report type by its access key.
const PAIR_COUNTED = PAIR_REACHED.replace('f.report_type_id', 'f.access_key');
const filesOfPair = db.prepare(`select ${FILE_COLUMNS} from files f ${FILE_JOINS} where ${PAIR_REACHED} ${NEWEST}`);
const countOfPair = db.prepare(`select coalesce(sum(f.n), 0) as n from file_counts f where ${PAIR_COUNTED}`);
const filesOfLists = db.prepare(
  `select ${FILE_COLUMNS} from files f ${FILE_JOINS} where ${CLIENT_REACHED} and ${KIND_REACHED} ${NEWEST}`,
);
const countOfLists = db.prepare(
  `select coalesce(sum(f.n), 0) as n from user_clients mine join file_counts f on f.client_id = mine.client_id
   where mine.user_id = :me and (f.access_key = -1 or (f.access_key = 0 and f.owner_id = :me)
     or f.access_key in (select report_type_id from user_report_types where user_id = :me))`,
);
const filesOfAll = db.prepare(`select ${FILE_COLUMNS} from files f ${FILE_JOINS} ${NEWEST}`);
const countOfAll = db.prepare('select coalesce(sum(n), 0) as n from file_counts');

interface FileRecord {
  at: number;
  [column: string]: unknown;
}

function toFile(row: FileRecord): FileRecord {
  const uploadedAt = new Date(row.at).toISOString();
  row['uploadedAt'] = uploadedAt;
  row['createdAt'] = uploadedAt;
  return row;
}

const app = Fastify({ logger: false, bodyLimit: 4 * 1024 ** 3 });

app.get<{ Querystring: { clientId?: string; reportTypeId?: string; limit?: string } }>(
  '/api/files',
  { schema: { response: { 200: { type: 'array', items: fileSchema } } } },
  async (request, reply) => {
    const viewer = viewerOf(request);
    const { clientId, reportTypeId } = request.query;
    const limit = Number(request.query.limit ?? 1000);
    const me = viewer.id;
    let rows: unknown[];
    let count: { n: number } | undefined;
    if (clientId !== undefined && reportTypeId !== undefined) {
      const pair = { me, clientId: Number(clientId), reportTypeId: Number(reportTypeId) };
      count = countOfPair.get(pair) as { n: number };
      rows = filesOfPair.all({ ...pair, limit });
    } else if (viewer.reach === 'all') {
      count = countOfAll.get() as { n: number };
      rows = filesOfAll.all({ limit });
    } else {
      count = countOfLists.get({ me }) as { n: number };
      rows = filesOfLists.all({ me, limit });
    }
    reply.header('x-total-count', count.n);
    return (rows as FileRecord[]).map(toFile);
  },
);

const clientById = db.prepare(
  `select f.id, f.name, f.address, f.phone, f.phone as phoneNumber, f.email, f.federal_id as federalId, f.state_id as stateId,
     f.employee_count as employeeCount, f.start_date as startDate
   from clients f where f.id = :id and (:all or exists (select 1 from user_clients where user_id = :me and client_id = f.id))`,
);

app.get<{ Params: { id: string } }>(
  '/api/clients/:id',
  { schema: { response: { 200: clientSchema } } },
  async (request) => {
    const viewer = viewerOf(request);
    const all = viewer.reach === 'all' ? 1 : 0;
    const row = clientById.get({ id: Number(request.params.id), all, me: viewer.id });
    if (row === undefined) throw missing();
    return row;
  },
);

const totals = db.prepare(
  `select (select count(*) from clients) as clients, (select count(*) from users) as users,
   (select coalesce(sum(n), 0) from file_counts) as files, (select coalesce(sum(n), 0) from activity_counts) as activity`,
);
const newestActivity = db.prepare(
  `select id, action, file_id as fileId, file_name as fileName, details, user_id as userId, user_name as userName,
   client_id as clientId, client_name as clientName, at,
   exists (select 1 from files f where f.id = activity.file_id) as fileOpens,
   (announced_at is not null and served_at is null) as announcedOnly from activity order by at desc, id desc limit 10`,
);

app.get('/api/overview', { schema: { response: { 200: overviewSchema } } }, async (request) => {
  const viewer = viewerOf(request);
  if (viewer.reach !== 'all') throw missing();
  const recentActivity = newestActivity.all() as { at: number; timestamp?: string }[];
  for (const entry of recentActivity) entry.timestamp = new Date(entry.at).toISOString();
  const recentUploads = (filesOfAll.all({ limit: 10 }) as unknown as FileRecord[]).map(toFile);
  return { totals: totals.get(), recentActivity, recentUploads };
});

const userByName = db.prepare(
  `select u.id, u.username, u.full_name as fullName, u.password_hash as passwordHash, r.id as roleId, r.name as roleName,
   r.system_key as roleKey, r.reach from users u join roles r on r.id = u.role_id where u.username_key = ?`,
);
const capabilitiesOf = db.prepare('select capability from role_capabilities where role_id = ?');
const clientIdsOf = db.prepare('select client_id as id from user_clients where user_id = ?');
const reportTypeIdsOf = db.prepare('select report_type_id as id from user_report_types where user_id = ?');
const insertSession = db.prepare(
  `insert into sessions (user_id, token_hash, cookie_hash, created_at, last_seen_at, user_agent, address)
   values (?, ?, ?, ?, ?, '', '')`,
);

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

app.post<{ Body: { username: string; password: string } }>('/api/auth/login', async (request, reply) => {
  const { username, password } = request.body;
  const found = userByName.get(username.toLowerCase()) as Record<string, string | number> | undefined;
  if (found === undefined || !(await isRight(password, String(found['passwordHash'])))) {
    throw Object.assign(new Error('Refused'), { statusCode: 401 });
  }
  const { id = 0, passwordHash: _hash, ...user } = found;
  const [token, cookie] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  const now = Date.now();
  insertSession.run(id, sha256(token), sha256(cookie), now, now);
  reply.header('set-cookie', `coffer_files=${cookie}; Path=/api/files; HttpOnly; SameSite=Strict`);
  return {
    token,
    user: {
      id,
      ...user,
      role: { id: user['roleId'], name: user['roleName'] },
      capabilities: capabilitiesOf.all(user['roleId'] ?? 0).map((row) => row['capability']),
      clientIds: clientIdsOf.all(id).map((row) => row['id']),
      reportTypeIds: reportTypeIdsOf.all(id).map((row) => row['id']),
      commonRouting: user['roleKey'] !== 'admin',
    },
  };
});

const storedFile = db.prepare(
  `select f.storage_key as storageKey, f.size_bytes as sizeBytes, f.original_name as originalName from files f
   where f.id = :id and (:all or (${CLIENT_REACHED} and ${KIND_REACHED}))`,
);

/** The bytes as they are on the disk: nothing checked on the way, no entry in the log. */
app.get<{ Params: { id: string } }>('/api/files/:id/download', (request: FastifyRequest, reply: FastifyReply) => {
  const viewer = viewerOf(request);
  const { id } = request.params as { id: string };
  const all = viewer.reach === 'all' ? 1 : 0;
  const file = storedFile.get({ id: Number(id), all, me: viewer.id }) as
    | { storageKey: string; sizeBytes: number; originalName: string }
    | undefined;
  if (file === undefined) throw missing();
  const { storageKey } = file;
  const path = join(dataDir, 'blobs', storageKey.slice(0, 2), storageKey.slice(2, 4), storageKey);
  reply.hijack();
  reply.raw.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': file.sizeBytes,
    'content-disposition': `attachment; filename="${file.originalName}"`,
  });
  createReadStream(path).pipe(reply.raw);
});

let uploads = 0;

// The body goes to the disk as it comes: no multipart, no digest, no flush, no row.
app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
app.post('/api/files', async (request, reply) => {
  viewerOf(request);
  uploads += 1;
  const path = join(uploadDir, String(uploads));
  await pipeline(request.body as NodeJS.ReadableStream, createWriteStream(path));
  return reply.status(201).send({ id: uploads });
});

process.on('SIGTERM', () => process.exit(0));
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`The floor is on ${origin}\n`);
