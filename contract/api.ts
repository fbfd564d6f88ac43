// Every endpoint: method, path, action, input, output, errors. The product's index.
import { z } from 'zod';
import { AccessAnnouncement, ActivityExportQuery, ActivityQuery, ActivityRow, Overview } from './activity.ts';
import { ClientInput, ClientQuery, ClientRemoval, ClientRow } from './clients.ts';
import type { ErrorCode } from './errors.ts';
import { Id, IdText } from './fields.ts';
import {
  ArchiveRequest,
  FileExportQuery,
  FileFacts,
  FileNeighbourQuery,
  FileOpenQuery,
  FileQuery,
  FileRow,
  UploadFields,
  ViewTicket,
} from './files.ts';
import type { Action } from './policy.ts';
import { ReportTypeInput, ReportTypeQuery, ReportTypeRow } from './report-types.ts';
import { ClientReach, PermissionChange, RoleInput, RolePermissions, RoleQuery, RoleRow, UserReach } from './roles.ts';
import { LoginRequest, LoginResponse, PasswordChange, SessionRow, SessionUser } from './session.ts';
import { UserCreate, UserQuery, UserRow, UserUpdate } from './users.ts';

/**
 * How an endpoint answers: one JSON value, a bare array with `X-Total-Count`, nothing (204), the bytes of a file,
 * a document made for this answer (a CSV, a ZIP), or a page of HTML.
 */
export type Answer = 'value' | 'list' | 'nothing' | 'bytes' | 'document' | 'html';

interface EndpointShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/api/${string}`;
  /** The action of `policy.ts` that opens this door; `public` ones need no token. */
  readonly action: Action;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The fields of a multipart upload beside its one file. */
  readonly upload?: z.ZodType;
  readonly answer: Answer;
  readonly output?: z.ZodType;
  readonly status: 200 | 201 | 204;
  /** What it may answer beyond what every endpoint may: `invalid`, `unauthenticated`, `internal`, `busy`, `unavailable`. */
  readonly errors: readonly ErrorCode[];
}

const byId = z.strictObject({ id: IdText });
const noQuery = z.strictObject({});

const value = <Output extends z.ZodType>(output: Output) => ({ answer: 'value', status: 200, output }) as const;
const created = <Output extends z.ZodType>(output: Output) => ({ answer: 'value', status: 201, output }) as const;
const list = <Row extends z.ZodType>(row: Row) => ({ answer: 'list', status: 200, output: z.array(row) }) as const;
const nothing = { answer: 'nothing', status: 204 } as const;
const bytes = { answer: 'bytes', status: 200 } as const;
const document = { answer: 'document', status: 200 } as const;

export const api = {
  'session.login': {
    method: 'POST',
    path: '/api/auth/login',
    action: 'session.open',
    summary: 'Sign in',
    body: LoginRequest,
    ...value(LoginResponse),
    errors: ['bad_credentials', 'too_many'],
  },
  'session.logout': {
    method: 'POST',
    path: '/api/auth/logout',
    action: 'session.use',
    summary: 'Sign out of this device',
    ...nothing,
    errors: [],
  },
  'session.me': {
    method: 'GET',
    path: '/api/auth/me',
    action: 'session.use',
    summary: 'Who is signed in, with today’s rights',
    query: noQuery,
    ...value(SessionUser),
    errors: [],
  },
  'session.password': {
    method: 'POST',
    path: '/api/auth/password',
    action: 'session.use',
    summary: 'Change one’s own password; every other device is signed out and this one gets a new token',
    body: PasswordChange,
    ...value(LoginResponse),
    errors: ['wrong_password', 'too_many'],
  },
  'session.devices': {
    method: 'GET',
    path: '/api/auth/sessions',
    action: 'session.use',
    summary: 'The devices one is signed in on',
    query: noQuery,
    ...list(SessionRow),
    errors: [],
  },
  'session.end-others': {
    method: 'DELETE',
    path: '/api/auth/sessions',
    action: 'session.use',
    summary: 'Sign out everywhere else',
    ...nothing,
    errors: [],
  },
  'session.end': {
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    action: 'session.use',
    summary: 'Sign out one device',
    params: byId,
    ...nothing,
    errors: ['not_found'],
  },

  'users.list': {
    method: 'GET',
    path: '/api/users',
    action: 'users.read',
    summary: 'Users within reach',
    query: UserQuery,
    ...list(UserRow),
    errors: [],
  },
  'users.create': {
    method: 'POST',
    path: '/api/users',
    action: 'users.create',
    summary: 'Add a user',
    body: UserCreate,
    ...created(UserRow),
    errors: ['forbidden', 'username_taken'],
  },
  'users.update': {
    method: 'PUT',
    path: '/api/users/{id}',
    action: 'users.update',
    summary: 'Change a user; a blank password keeps the old one, a new one signs the user out everywhere',
    params: byId,
    body: UserUpdate,
    ...value(UserRow),
    errors: ['forbidden', 'not_found', 'username_taken', 'last_admin'],
  },
  'users.delete': {
    method: 'DELETE',
    path: '/api/users/{id}',
    action: 'users.delete',
    summary: 'Delete a user',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'last_admin', 'own_account'],
  },
  'users.client-access': {
    method: 'GET',
    path: '/api/users/{id}/client-access',
    action: 'users.read',
    summary: 'The ids in a user’s client-access list',
    params: byId,
    query: noQuery,
    ...value(z.array(Id)),
    errors: ['not_found'],
  },
  'users.report-access': {
    method: 'GET',
    path: '/api/users/{id}/report-access',
    action: 'users.read',
    summary: 'The ids in a user’s report-access list',
    params: byId,
    query: noQuery,
    ...value(z.array(Id)),
    errors: ['not_found'],
  },

  'roles.list': {
    method: 'GET',
    path: '/api/roles',
    action: 'roles.read',
    summary: 'Roles within reach',
    query: RoleQuery,
    ...list(RoleRow),
    errors: [],
  },
  'roles.create': {
    method: 'POST',
    path: '/api/roles',
    action: 'roles.create',
    summary: 'Add a role, without capabilities',
    body: RoleInput,
    ...created(RoleRow),
    errors: ['forbidden', 'role_name_taken'],
  },
  'roles.update': {
    method: 'PUT',
    path: '/api/roles/{id}',
    action: 'roles.update',
    summary: 'Rename a role',
    params: byId,
    body: RoleInput,
    ...value(RoleRow),
    errors: ['forbidden', 'not_found', 'role_name_taken', 'role_built_in'],
  },
  'roles.delete': {
    method: 'DELETE',
    path: '/api/roles/{id}',
    action: 'roles.delete',
    summary: 'Delete a role nobody holds',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'role_built_in', 'role_in_use'],
  },

  'permissions.list': {
    method: 'GET',
    path: '/api/permissions',
    action: 'permissions.read',
    summary: 'The role matrix: what each role within reach may do',
    query: noQuery,
    ...list(RolePermissions),
    errors: [],
  },
  'permissions.update': {
    method: 'PUT',
    path: '/api/permissions',
    action: 'permissions.update',
    summary: 'Set the capabilities of one role',
    body: PermissionChange,
    ...value(RolePermissions),
    errors: ['forbidden', 'not_found', 'role_built_in'],
  },
  'permissions.user': {
    method: 'GET',
    path: '/api/permissions/users/{id}',
    action: 'permissions.read',
    summary: 'What a user reaches, and why',
    params: byId,
    query: noQuery,
    ...value(UserReach),
    errors: ['not_found'],
  },
  'permissions.client': {
    method: 'GET',
    path: '/api/permissions/clients/{id}',
    action: 'permissions.explain',
    summary: 'Who reaches a client, and why',
    params: byId,
    query: noQuery,
    ...value(ClientReach),
    errors: ['forbidden', 'not_found'],
  },

  'clients.list': {
    method: 'GET',
    path: '/api/clients',
    action: 'clients.read',
    summary: 'Clients within reach',
    query: ClientQuery,
    ...list(ClientRow),
    errors: [],
  },
  'clients.get': {
    method: 'GET',
    path: '/api/clients/{id}',
    action: 'clients.read',
    summary: 'One client',
    params: byId,
    query: noQuery,
    ...value(ClientRow),
    errors: ['not_found'],
  },
  'clients.create': {
    method: 'POST',
    path: '/api/clients',
    action: 'clients.create',
    summary: 'Add a client',
    body: ClientInput,
    ...created(ClientRow),
    errors: ['forbidden'],
  },
  'clients.update': {
    method: 'PUT',
    path: '/api/clients/{id}',
    action: 'clients.update',
    summary: 'Change a client',
    params: byId,
    body: ClientInput,
    ...value(ClientRow),
    errors: ['forbidden', 'not_found'],
  },
  'clients.removal': {
    method: 'GET',
    path: '/api/clients/{id}/removal',
    action: 'clients.delete',
    summary: 'What would go with a client if it were deleted',
    params: byId,
    query: noQuery,
    ...value(ClientRemoval),
    errors: ['forbidden', 'not_found'],
  },
  'clients.delete': {
    method: 'DELETE',
    path: '/api/clients/{id}',
    action: 'clients.delete',
    summary: 'Delete a client, its files, and its Client users who have no other client',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'own_account', 'gone_meanwhile'],
  },

  'report-types.list': {
    method: 'GET',
    path: '/api/report-types',
    action: 'report-types.read',
    summary: 'Report types within reach',
    query: ReportTypeQuery,
    ...list(ReportTypeRow),
    errors: [],
  },
  'report-types.create': {
    method: 'POST',
    path: '/api/report-types',
    action: 'report-types.create',
    summary: 'Add a report type',
    body: ReportTypeInput,
    ...created(ReportTypeRow),
    errors: ['forbidden', 'report_type_name_taken'],
  },
  'report-types.delete': {
    method: 'DELETE',
    path: '/api/report-types/{id}',
    action: 'report-types.delete',
    summary: 'Delete a report type no file uses',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'report_type_in_use'],
  },

  'files.list': {
    method: 'GET',
    path: '/api/files',
    action: 'files.read',
    summary: 'Files within reach, newest first; without a limit the newest 1,000',
    query: FileQuery,
    ...list(FileRow),
    errors: [],
  },
  'files.export': {
    method: 'GET',
    path: '/api/files/export',
    action: 'files.read',
    summary: 'The list of files as CSV, safe to open in a spreadsheet',
    query: FileExportQuery,
    ...document,
    errors: [],
  },
  'files.archive': {
    method: 'POST',
    path: '/api/files/archive',
    action: 'files.read',
    summary: 'Several files as one ZIP with a manifest; each is a download in the log',
    body: ArchiveRequest,
    ...document,
    errors: ['not_found', 'integrity'],
  },
  'files.facts': {
    method: 'GET',
    path: '/api/files/{id}/facts',
    action: 'files.read',
    summary: 'What is known of one file, and its neighbours in a list, newest first',
    params: byId,
    query: FileNeighbourQuery,
    ...value(FileFacts),
    errors: ['not_found'],
  },
  'files.upload': {
    method: 'POST',
    path: '/api/files',
    action: 'files.upload',
    summary: 'Store one file; fields may stand before or after it',
    upload: UploadFields,
    ...created(FileRow),
    errors: [
      'forbidden',
      'not_found',
      'file_too_large',
      'unsupported_type',
      'checksum_mismatch',
      'idempotency_mismatch',
      'storage_full',
    ],
  },
  'files.open': {
    method: 'GET',
    path: '/api/files/{id}',
    action: 'files.read',
    summary: 'Download a file, or with view=true open it in place',
    params: byId,
    query: FileOpenQuery,
    ...bytes,
    errors: ['not_found', 'range_not_satisfiable', 'integrity'],
  },
  'files.download': {
    method: 'GET',
    path: '/api/files/{id}/download',
    action: 'files.read',
    summary: 'Download a file',
    params: byId,
    query: FileOpenQuery,
    ...bytes,
    errors: ['not_found', 'range_not_satisfiable', 'integrity'],
  },
  'files.view': {
    method: 'GET',
    path: '/api/files/{id}/view',
    action: 'files.read',
    summary: 'Open a file in place; a type that may not be shown is downloaded',
    params: byId,
    query: FileOpenQuery,
    ...bytes,
    errors: ['not_found', 'range_not_satisfiable', 'integrity'],
  },
  'files.view-ticket': {
    method: 'POST',
    path: '/api/files/{id}/view-ticket',
    action: 'files.read',
    summary: 'A ticket that opens this one file within a minute',
    params: byId,
    ...created(ViewTicket),
    errors: ['not_found'],
  },
  'files.delete': {
    method: 'DELETE',
    path: '/api/files/{id}',
    action: 'files.delete',
    summary: 'Delete a file',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found'],
  },

  'activity.list': {
    method: 'GET',
    path: '/api/activity-logs',
    action: 'activity.read',
    summary: 'The activity log within reach, newest first; without a limit the newest 1,000',
    query: ActivityQuery,
    ...list(ActivityRow),
    errors: [],
  },
  'activity.export': {
    method: 'GET',
    path: '/api/activity-logs/export',
    action: 'activity.read',
    summary: 'The activity log within reach as CSV, safe to open in a spreadsheet',
    query: ActivityExportQuery,
    ...document,
    errors: [],
  },
  'activity.announce': {
    method: 'POST',
    path: '/api/activity-logs',
    action: 'activity.announce',
    summary: 'Announce a view or download; the server joins it with the access it records',
    body: AccessAnnouncement,
    ...created(ActivityRow),
    errors: ['not_found'],
  },
  'overview.get': {
    method: 'GET',
    path: '/api/overview',
    action: 'overview.read',
    summary: 'Totals, the latest activity and the latest uploads within reach',
    query: noQuery,
    ...value(Overview),
    errors: [],
  },

  'docs.openapi': {
    method: 'GET',
    path: '/api/openapi.json',
    action: 'api.describe',
    summary: 'This API as an OpenAPI 3.1 document',
    ...value(z.unknown()),
    errors: [],
  },
  'docs.page': {
    method: 'GET',
    path: '/api/docs',
    action: 'api.describe',
    summary: 'This API as a page to read',
    answer: 'html',
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, EndpointShape>;

export type EndpointName = keyof typeof api;
export type Endpoint = EndpointShape;

type Part<Name extends EndpointName, Key extends 'params' | 'query' | 'body' | 'upload'> =
  (typeof api)[Name] extends Record<Key, infer Schema extends z.ZodType> ? Schema : undefined;

/** What a caller sends to `Name`: the parts the endpoint declares, before they are read. */
export type Sent<Name extends EndpointName> = {
  [Key in 'params' | 'query' | 'body' as Part<Name, Key> extends z.ZodType ? Key : never]: z.input<
    Extract<Part<Name, Key>, z.ZodType>
  >;
};

/** What the handler of `Name` gets: the same parts, validated. */
export type Received<Name extends EndpointName> = {
  [Key in 'params' | 'query' | 'body' as Part<Name, Key> extends z.ZodType ? Key : never]: z.output<
    Extract<Part<Name, Key>, z.ZodType>
  >;
};

/** What `Name` answers with on success; `undefined` where it answers nothing or bytes. */
export type Output<Name extends EndpointName> = (typeof api)[Name] extends { output: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;
