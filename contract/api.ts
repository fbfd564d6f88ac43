// Every endpoint: method, path, action, input, output, errors. The product's index.
import { z } from 'zod';
import { AccessAnnouncement, ActivityExportQuery, ActivityQuery, ActivityRow, Overview } from './activity.ts';
import { addressOf, type EndpointName } from './addresses.ts';
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
    ...addressOf('session.login'),
    action: 'session.open',
    summary: 'Sign in',
    body: LoginRequest,
    ...value(LoginResponse),
    errors: ['bad_credentials', 'too_many'],
  },
  'session.logout': {
    ...addressOf('session.logout'),
    action: 'session.use',
    summary: 'Sign out of this device',
    ...nothing,
    errors: [],
  },
  'session.me': {
    ...addressOf('session.me'),
    action: 'session.use',
    summary: 'Who is signed in, with today’s rights',
    query: noQuery,
    ...value(SessionUser),
    errors: [],
  },
  'session.password': {
    ...addressOf('session.password'),
    action: 'session.use',
    summary: 'Change one’s own password; every other device is signed out and this one gets a new token',
    body: PasswordChange,
    ...value(LoginResponse),
    errors: ['wrong_password', 'too_many'],
  },
  'session.devices': {
    ...addressOf('session.devices'),
    action: 'session.use',
    summary: 'The devices one is signed in on',
    query: noQuery,
    ...list(SessionRow),
    errors: [],
  },
  'session.end-others': {
    ...addressOf('session.end-others'),
    action: 'session.use',
    summary: 'Sign out everywhere else',
    ...nothing,
    errors: [],
  },
  'session.end': {
    ...addressOf('session.end'),
    action: 'session.use',
    summary: 'Sign out one device',
    params: byId,
    ...nothing,
    errors: ['not_found'],
  },

  'users.list': {
    ...addressOf('users.list'),
    action: 'users.read',
    summary: 'Users within reach',
    query: UserQuery,
    ...list(UserRow),
    errors: [],
  },
  'users.create': {
    ...addressOf('users.create'),
    action: 'users.create',
    summary: 'Add a user',
    body: UserCreate,
    ...created(UserRow),
    errors: ['forbidden', 'username_taken'],
  },
  'users.update': {
    ...addressOf('users.update'),
    action: 'users.update',
    summary: 'Change a user; a blank password keeps the old one, a new one signs the user out everywhere',
    params: byId,
    body: UserUpdate,
    ...value(UserRow),
    errors: ['forbidden', 'not_found', 'username_taken', 'last_admin'],
  },
  'users.delete': {
    ...addressOf('users.delete'),
    action: 'users.delete',
    summary: 'Delete a user',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'last_admin', 'own_account'],
  },
  'users.client-access': {
    ...addressOf('users.client-access'),
    action: 'users.read',
    summary: 'The ids in a user’s client-access list',
    params: byId,
    query: noQuery,
    ...value(z.array(Id)),
    errors: ['not_found'],
  },
  'users.report-access': {
    ...addressOf('users.report-access'),
    action: 'users.read',
    summary: 'The ids in a user’s report-access list',
    params: byId,
    query: noQuery,
    ...value(z.array(Id)),
    errors: ['not_found'],
  },

  'roles.list': {
    ...addressOf('roles.list'),
    action: 'roles.read',
    summary: 'Roles within reach',
    query: RoleQuery,
    ...list(RoleRow),
    errors: [],
  },
  'roles.create': {
    ...addressOf('roles.create'),
    action: 'roles.create',
    summary: 'Add a role, without capabilities',
    body: RoleInput,
    ...created(RoleRow),
    errors: ['forbidden', 'role_name_taken'],
  },
  'roles.update': {
    ...addressOf('roles.update'),
    action: 'roles.update',
    summary: 'Rename a role',
    params: byId,
    body: RoleInput,
    ...value(RoleRow),
    errors: ['forbidden', 'not_found', 'role_name_taken', 'role_built_in'],
  },
  'roles.delete': {
    ...addressOf('roles.delete'),
    action: 'roles.delete',
    summary: 'Delete a role nobody holds',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'role_built_in', 'role_in_use'],
  },

  'permissions.list': {
    ...addressOf('permissions.list'),
    action: 'permissions.read',
    summary: 'The role matrix: what each role within reach may do',
    query: noQuery,
    ...list(RolePermissions),
    errors: [],
  },
  'permissions.update': {
    ...addressOf('permissions.update'),
    action: 'permissions.update',
    summary: 'Set the capabilities of one role',
    body: PermissionChange,
    ...value(RolePermissions),
    errors: ['forbidden', 'not_found', 'role_built_in'],
  },
  'permissions.user': {
    ...addressOf('permissions.user'),
    action: 'permissions.read',
    summary: 'What a user reaches, and why',
    params: byId,
    query: noQuery,
    ...value(UserReach),
    errors: ['not_found'],
  },
  'permissions.client': {
    ...addressOf('permissions.client'),
    action: 'permissions.explain',
    summary: 'Who reaches a client, and why',
    params: byId,
    query: noQuery,
    ...value(ClientReach),
    errors: ['forbidden', 'not_found'],
  },

  'clients.list': {
    ...addressOf('clients.list'),
    action: 'clients.read',
    summary: 'Clients within reach',
    query: ClientQuery,
    ...list(ClientRow),
    errors: [],
  },
  'clients.get': {
    ...addressOf('clients.get'),
    action: 'clients.read',
    summary: 'One client',
    params: byId,
    query: noQuery,
    ...value(ClientRow),
    errors: ['not_found'],
  },
  'clients.create': {
    ...addressOf('clients.create'),
    action: 'clients.create',
    summary: 'Add a client',
    body: ClientInput,
    ...created(ClientRow),
    errors: ['forbidden'],
  },
  'clients.update': {
    ...addressOf('clients.update'),
    action: 'clients.update',
    summary: 'Change a client',
    params: byId,
    body: ClientInput,
    ...value(ClientRow),
    errors: ['forbidden', 'not_found'],
  },
  'clients.removal': {
    ...addressOf('clients.removal'),
    action: 'clients.delete',
    summary: 'What would go with a client if it were deleted',
    params: byId,
    query: noQuery,
    ...value(ClientRemoval),
    errors: ['forbidden', 'not_found'],
  },
  'clients.delete': {
    ...addressOf('clients.delete'),
    action: 'clients.delete',
    summary: 'Delete a client, its files, and its Client users who have no other client',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'own_account', 'gone_meanwhile'],
  },

  'report-types.list': {
    ...addressOf('report-types.list'),
    action: 'report-types.read',
    summary: 'Report types within reach',
    query: ReportTypeQuery,
    ...list(ReportTypeRow),
    errors: [],
  },
  'report-types.create': {
    ...addressOf('report-types.create'),
    action: 'report-types.create',
    summary: 'Add a report type',
    body: ReportTypeInput,
    ...created(ReportTypeRow),
    errors: ['forbidden', 'report_type_name_taken'],
  },
  'report-types.delete': {
    ...addressOf('report-types.delete'),
    action: 'report-types.delete',
    summary: 'Delete a report type no file uses',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'report_type_in_use'],
  },

  'files.list': {
    ...addressOf('files.list'),
    action: 'files.read',
    summary: 'Files within reach, newest first; without a limit the newest 1,000',
    query: FileQuery,
    ...list(FileRow),
    errors: [],
  },
  'files.export': {
    ...addressOf('files.export'),
    action: 'files.read',
    summary: 'The list of files as CSV, safe to open in a spreadsheet',
    query: FileExportQuery,
    ...document,
    errors: [],
  },
  'files.archive': {
    ...addressOf('files.archive'),
    action: 'files.read',
    summary: 'Several files as one ZIP with a manifest; each is a download in the log',
    body: ArchiveRequest,
    ...document,
    errors: ['not_found', 'integrity'],
  },
  'files.facts': {
    ...addressOf('files.facts'),
    action: 'files.read',
    summary: 'What is known of one file, and its neighbours in a list, newest first',
    params: byId,
    query: FileNeighbourQuery,
    ...value(FileFacts),
    errors: ['not_found'],
  },
  'files.upload': {
    ...addressOf('files.upload'),
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
    ...addressOf('files.open'),
    action: 'files.read',
    summary: 'Download a file, or with view=true open it in place',
    params: byId,
    query: FileOpenQuery,
    ...bytes,
    errors: ['not_found', 'range_not_satisfiable', 'integrity'],
  },
  'files.download': {
    ...addressOf('files.download'),
    action: 'files.read',
    summary: 'Download a file',
    params: byId,
    query: FileOpenQuery,
    ...bytes,
    errors: ['not_found', 'range_not_satisfiable', 'integrity'],
  },
  'files.view': {
    ...addressOf('files.view'),
    action: 'files.read',
    summary: 'Open a file in place; a type that may not be shown is downloaded',
    params: byId,
    query: FileOpenQuery,
    ...bytes,
    errors: ['not_found', 'range_not_satisfiable', 'integrity'],
  },
  'files.view-ticket': {
    ...addressOf('files.view-ticket'),
    action: 'files.read',
    summary: 'A ticket that opens this one file within a minute',
    params: byId,
    ...created(ViewTicket),
    errors: ['not_found'],
  },
  'files.delete': {
    ...addressOf('files.delete'),
    action: 'files.delete',
    summary: 'Delete a file',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found'],
  },

  'activity.list': {
    ...addressOf('activity.list'),
    action: 'activity.read',
    summary: 'The activity log within reach, newest first; without a limit the newest 1,000',
    query: ActivityQuery,
    ...list(ActivityRow),
    errors: [],
  },
  'activity.export': {
    ...addressOf('activity.export'),
    action: 'activity.read',
    summary: 'The activity log within reach as CSV, safe to open in a spreadsheet',
    query: ActivityExportQuery,
    ...document,
    errors: [],
  },
  'activity.announce': {
    ...addressOf('activity.announce'),
    action: 'activity.announce',
    summary: 'Announce a view or download; the server joins it with the access it records',
    body: AccessAnnouncement,
    ...created(ActivityRow),
    errors: ['not_found'],
  },
  'overview.get': {
    ...addressOf('overview.get'),
    action: 'overview.read',
    summary: 'Totals, the latest activity and the latest uploads within reach',
    query: noQuery,
    ...value(Overview),
    errors: [],
  },

  'docs.openapi': {
    ...addressOf('docs.openapi'),
    action: 'api.describe',
    summary: 'This API as an OpenAPI 3.1 document',
    ...value(z.unknown()),
    errors: [],
  },
  'docs.page': {
    ...addressOf('docs.page'),
    action: 'api.describe',
    summary: 'This API as a page to read',
    answer: 'html',
    status: 200,
    errors: [],
  },
} as const satisfies Record<EndpointName, EndpointShape>;

export type { EndpointName };
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
