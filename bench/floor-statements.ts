// The floor's hand-written SQL: the same on both engines except for how each best reads a list of ids.
import type { DatabaseKind } from '#server/platform/db/database.ts';
import type { FloorStatement } from './floor-database.ts';

const FILE_COLUMNS = `f.id, f.original_name as "originalName", f.size_bytes as "size", f.content_type as "contentType", f.sha256,
  f.uploaded_at as at, f.uploaded_by_id as "uploadedById", coalesce(u.full_name, f.uploader_name) as "uploaderName",
  f.client_id as "clientId", c.name as "clientName", f.report_type_id as "reportTypeId", t.name as "reportTypeName",
  f.file_type as "fileType", f.document_type as "documentType", f.period as "period",
  f.client_id || '.' || f.access_key || '.' || coalesce(f.document_type, '') || '.' || coalesce(f.period, '') as "version",
  (f.sent_by_client = 1 and f.access_key = -1 and f.uploaded_at >= :newSince and f.uploaded_by_id is distinct from :me
    and f.uploaded_at >= (select coalesce(r.news_since, r.created_at) from users r where r.id = :me)
    and not exists (select 1 from file_opens o where o.file_id = f.id and o.user_id = :me)) as "isNew",
  null as "openedByOthers",
  (exists (select 1 from holds h where h.kind = 'file' and h.item_id = f.id and h.lifted_at is null)
    or exists (select 1 from holds h where h.kind = 'client' and h.item_id = f.client_id and h.lifted_at is null)) as "onHold"`;
/** Both sides of a correction, as JSON. */
const correctionsBy = (object: string) => `
  case when f.corrects_id is not null then cast((select ${object}('id', e.id, 'originalName', e.original_name)
    from files e where e.id = f.corrects_id) as text) end as "corrects",
  cast((select ${object}('id', l.id, 'originalName', l.original_name, 'at', l.uploaded_at) from files l
    where l.corrects_id = f.id order by l.uploaded_at desc, l.id desc limit 1) as text) as "correctedBy"`;
const FILE_JOINS = `join clients c on c.id = f.client_id left join report_types t on t.id = f.report_type_id
  left join users u on u.id = f.uploaded_by_id`;
const NEWEST = 'order by f.uploaded_at desc, f.id desc limit :limit';

// Whether the chosen client and type are reached does not change from row to row, so it is looked up once.
const PAIR_REACHED = `exists (select 1 from user_clients where user_id = :me and client_id = :clientId)
  and exists (select 1 from user_report_types where user_id = :me and report_type_id = :reportTypeId)`;

/** `column` is one of the ids that `table` lists for the viewer. */
type Listed = (column: string, table: string, id: string) => string;

interface Wordings {
  /** Checked row by row, along the index that has the order. */
  readonly checked: Listed;
  /** Looked up from the ids. */
  readonly found: Listed;
  /** Makes an object of JSON. */
  readonly object: string;
}

// As a join, PostgreSQL would read every file in reach before it finds the newest.
const inArray: Listed = (column, table, id) =>
  `${column} = any (array(select ${id} from ${table} where user_id = :me))`;

const wordings: Record<DatabaseKind, Wordings> = {
  sqlite: {
    checked: (column, table, id) => `exists (select 1 from ${table} where user_id = :me and ${id} = ${column})`,
    found: (column, table, id) => `${column} in (select ${id} from ${table} where user_id = :me)`,
    object: 'json_object',
  },
  postgres: { checked: inArray, found: inArray, object: 'json_build_object' },
};

/** Client and kind are reached: a document, a report of one's types, one's own report without a type. */
const reachedBy = (listed: Listed, owner: string) =>
  `${listed('f.client_id', 'user_clients', 'client_id')} and (f.access_key = -1
    or ${listed('f.access_key', 'user_report_types', 'report_type_id')} or (f.access_key = 0 and ${owner} = :me))`;

const texts = ({ checked, found, object }: Wordings) => {
  const reached = reachedBy(checked, 'f.uploaded_by_id');
  const files = `select ${FILE_COLUMNS}, ${correctionsBy(object)} from files f ${FILE_JOINS}`;
  return {
    viewerByToken: `
      select u.id, u.full_name as "fullName", r.reach from sessions s join users u on u.id = s.user_id join roles r on r.id = u.role_id
      where s.token_hash = :token and s.created_at > :createdAfter and s.last_seen_at > :seenAfter`,
    filesOfPair: `${files} where f.client_id = :clientId and f.access_key = :reportTypeId and ${PAIR_REACHED} ${NEWEST}`,
    countOfPair: `select cast(coalesce(sum(f.n), 0) as bigint) as n from file_counts f
      where f.client_id = :clientId and f.access_key = :reportTypeId and ${PAIR_REACHED}`,
    filesOfLists: `${files} where ${reached} ${NEWEST}`,
    countOfLists: `select cast(coalesce(sum(f.n), 0) as bigint) as n from file_counts f where ${reachedBy(found, 'f.owner_id')}`,
    filesOfAll: `${files} ${NEWEST}`,
    countOfAll: 'select cast(coalesce(sum(n), 0) as bigint) as n from file_counts',
    fileById: `${files} where f.id = :id`,
    clientById: `
      select f.id, f.name, f.address, f.phone, f.phone as "phoneNumber", f.email, f.federal_id as "federalId", f.state_id as "stateId",
        f.employee_count as "employeeCount", f.start_date as "startDate", f.other_names as "otherNames", f.changed_at as "changedAt",
        exists (select 1 from holds h where h.kind = 'client' and h.item_id = f.id and h.lifted_at is null) as "onHold"
      from clients f where f.id = :id and (:all = 1 or exists (select 1 from user_clients where user_id = :me and client_id = f.id))`,
    totals: `
      select (select count(*) from clients) as clients, (select count(*) from users) as users,
        (select cast(coalesce(sum(n), 0) as bigint) from file_counts) as files,
        (select cast(coalesce(sum(n), 0) as bigint) from activity_counts) as activity`,
    newestActivity: `
      select id, action, file_id as "fileId", file_name as "fileName", details, user_id as "userId", user_name as "userName",
        client_id as "clientId", client_name as "clientName", at,
        exists (select 1 from files f where f.id = activity.file_id) as "fileOpens",
        (announced_at is not null and served_at is null) as "announcedOnly" from activity order by at desc, id desc limit :limit`,
    newestBackup: 'select id from backup_runs order by id desc limit 1',
    userByName: `
      select u.id, u.username, u.full_name as "fullName", u.password_hash as "passwordHash", r.id as "roleId", r.name as "roleName",
        r.system_key as "roleKey", r.reach from users u join roles r on r.id = u.role_id where u.username_key = :key`,
    capabilitiesOf: 'select capability from role_capabilities where role_id = :roleId',
    clientIdsOf: 'select client_id as id from user_clients where user_id = :id',
    reportTypeIdsOf: 'select report_type_id as id from user_report_types where user_id = :id',
    insertSession: `
      insert into sessions (user_id, token_hash, cookie_hash, created_at, last_seen_at, user_agent, address)
      values (:id, :token, :cookie, :now, :now, '', '')`,
    storedFile: `
      select f.storage_key as "storageKey", f.size_bytes as "sizeBytes", f.original_name as "originalName" from files f
      where f.id = :id and (:all = 1 or (${reached}))`,
    uploadTarget: `select c.name from clients c where c.id = :clientId and (:all = 1 or (${PAIR_REACHED}))`,
    insertBlob: `
      insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at)
      values (:storageKey, :size, :sha256, 'live', 'file', :now)`,
    insertFile: `
      insert into files (original_name, name_key, search_name, period, period_key, storage_key, size_bytes, sha256, content_type, file_type, client_id,
        report_type_id, uploaded_by_id, uploader_name, uploaded_at)
      values (:name, :nameKey, :nameKey, null, '2026-01-30', :storageKey, :size, :sha256, :contentType, 'report', :clientId, :reportTypeId, :me, :fullName, :now)
      returning id`,
    insertActivity: `
      insert into activity (action, file_id, file_name, details, user_id, user_name, client_id, client_name, search_text, at)
      values ('upload', :fileId, :name, :details, :me, :fullName, :clientId, :clientName, :searchText, :now)`,
    countActivity: `
      insert into activity_counts (user_id, client_id, action, n) values (:me, :clientId, 'upload', 1)
      on conflict (user_id, client_id, action) do update set n = activity_counts.n + 1`,
  };
};

export type FloorStatements = Readonly<Record<keyof ReturnType<typeof texts>, FloorStatement>>;

export function floorStatements(kind: DatabaseKind): FloorStatements {
  const entries = Object.entries(texts(wordings[kind])).map(([name, text]) => [name, { name, text }]);
  return Object.fromEntries(entries) as FloorStatements;
}
