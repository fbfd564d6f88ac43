// Every endpoint: method, path, action, input, output, errors. The product's index.
import { z } from 'zod';
import { AccessAnnouncement, ActivityExportQuery, ActivityQuery, ActivityRow, Overview } from './activity.ts';
import { addressOf, type EndpointName } from './addresses.ts';
import { ArchiveOrder, ArchiveRequest } from './archive-requests.ts';
import { ArchiveRow } from './archives.ts';
import { BatchCertificate, CertificateQuery } from './batch-certificate.ts';
import {
  BatchDetails,
  BatchFileAdded,
  BatchFileOpenQuery,
  BatchFileRow,
  BatchInput,
  BatchQuery,
  BatchRow,
  BatchUploadFields,
  DocumentAccess,
  DocumentDecision,
  DocumentJoin,
  DocumentRow,
  DocumentSplit,
  DocumentsQuery,
  FilePassword,
  LEFT_OUT_BYTES_MAX,
  LeftOutTold,
  RecallRequest,
  RecallResult,
  ReleaseRequest,
} from './batches.ts';
import { ChangeMessage } from './changes.ts';
import { ClientImport, ClientInput, ClientQuery, ClientRemoval, ClientRow } from './clients.ts';
import {
  BoardExportQuery,
  BoardQuery,
  BoardRow,
  BoardSummary,
  EXPECTATIONS_BYTES_MAX,
  ExpectationRow,
  ExpectationsInput,
  ManyExpectations,
  ManySaved,
  ProposalRequest,
  Proposals,
  SummaryQuery,
} from './completeness.ts';
import { DigestChoice, EndingLink, OwnDigests, UsualDigests, UsualDigestsInput } from './digests.ts';
import type { ErrorCode } from './errors.ts';
import {
  ChallengeRequest,
  Enrolled,
  Factors,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
  ReauthRequest,
  RecoveryCodes,
  SecondFactorRequest,
  TotpConfirmation,
  TotpSetup,
} from './factors.ts';
import { Id, IdText } from './fields.ts';
import { ALREADY_THERE_BYTES_MAX } from './file-kinds.ts';
import { FileOpenQuery, ViewTicket } from './file-opening.ts';
import { PeriodCount, PeriodsInput, PeriodsSet } from './file-periods.ts';
import {
  AlreadyThere,
  AlreadyThereRequest,
  FileDetails,
  FileExportRequest,
  FileNeighbourQuery,
  FilePeriodsQuery,
  FileQuery,
  FileRow,
  FilesReaders,
  MarkedFile,
  MarkedQuery,
  ReadersQuery,
  RefileInput,
  UploadFields,
} from './files.ts';
import { FirmSettings, FirmSettingsInput } from './firm-settings.ts';
import { FirstSteps, FirstStepsInput } from './first-steps.ts';
import { HoldInput, HoldQuery, HoldRow } from './holds.ts';
import { IMPORT_BYTES_MAX, ImportResult } from './imports.ts';
import { InsideFound, InsideQuery } from './inside.ts';
import { JobQuery, JobRow, OwnJobRow } from './jobs.ts';
import { MailFacts, MailQuery, MailRow, MailTest } from './mail.ts';
import { NewFiles, NewFilesQuery } from './new-files.ts';
import { type Action, isActOfLooks } from './policy.ts';
import { Preferences, PreferencesChange } from './preferences.ts';
import { PhrasesInput, ReportTypeImport, ReportTypeInput, ReportTypeQuery, ReportTypeRow } from './report-types.ts';
import {
  ItemDecision,
  NotApplying,
  RequestChange,
  RequestDetails,
  RequestInput,
  RequestItem,
  RequestQuery,
  RequestRow,
  RequestSummary,
  RequestSummaryQuery,
  RequestsMade,
  RequestUploadFields,
  TemplateInput,
  TemplateRow,
} from './requests.ts';
import {
  DisposalCertificate,
  DisposalOrder,
  DisposalQuery,
  DisposalRest,
  DisposalRow,
  DueFile,
  RetentionQuery,
  RetentionRuleInput,
  RetentionRules,
} from './retention.ts';
import { ClientReach, PermissionChange, RoleInput, RolePermissions, RoleQuery, RoleRow, UserReach } from './roles.ts';
import { SecurityEventQuery, SecurityEventRow } from './security-events.ts';
import {
  ForgottenRequest,
  InvitationFacts,
  InvitationRequest,
  Joining,
  joining,
  LoginAnswer,
  LoginRequest,
  LoginResponse,
  PasswordChange,
  passwordChange,
  SessionRow,
  SessionUser,
} from './session.ts';
import { SuggestionQuery, SuggestionRow } from './suggestions.ts';
import { SystemFacts } from './system.ts';
import { ClientRestore, FileRestore, TrashQuery, TrashRow } from './trash.ts';
import { Reminded, ReminderOrder, UnopenedQuery, UnopenedRow } from './unopened.ts';
import {
  UserCreate,
  UserDetails,
  UserImport,
  UserQuery,
  UserRow,
  UserUpdate,
  userCreate,
  userImport,
  userUpdate,
} from './users.ts';

/**
 * How an endpoint answers: one JSON value, a bare array with `X-Total-Count`, nothing (204), the bytes of a file,
 * a document made for this answer (a CSV, a ZIP), a stream of server-sent events, or a page of HTML.
 */
export type Answer = 'value' | 'list' | 'nothing' | 'bytes' | 'document' | 'events' | 'html';

interface EndpointShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/api/${string}`;
  /** The action of `policy.ts` that guards this route; `public` ones need no token. */
  readonly action: Action;
  readonly summary: string;
  /** The body comes as a form (`application/x-www-form-urlencoded`), and nothing in it is read. */
  readonly takesForm?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The body may be left out, which means `{}`. */
  readonly bodyMayBeAbsent?: true;
  /** What `body` is with SAFEGUARDS=on, where that asks for more. */
  readonly strictBody?: z.ZodType;
  /** Where its schema allows more than anyone needs: the most bytes of JSON that are read. */
  readonly bodyBytesMax?: number;
  /** The fields of a multipart upload next to its one file. */
  readonly upload?: z.ZodType;
  readonly answer: Answer;
  readonly output?: z.ZodType;
  /** What one message of a stream holds, as JSON. */
  readonly message?: z.ZodType;
  /** Of a document made for this answer. */
  readonly contentType?: 'text/csv' | 'application/zip' | 'application/pdf';
  /** Such a document as data, where the request may ask for that. */
  readonly data?: z.ZodType;
  readonly status: 200 | 201 | 204;
  /** Its answer holds no token, code or other secret, so it may leave compressed; any other leaves as it is. */
  readonly holdsNoSecret?: true;
  /** It changes the row whose version may be sent as `If-Match`; it may then answer `changed_meanwhile`. */
  readonly matchesVersion?: true;
  /** A call of it is no use of the session: programs repeat it by themselves, and a session that nobody uses ends. */
  readonly keepsNothingAlive?: true;
  /** It is there with SAFEGUARDS=on alone; elsewhere it answers `not_found`. */
  readonly safeguardsOnly?: true;
  /** It changes nothing but the look itself, so that somebody who looks as another person may call it although it is no GET. */
  readonly readsOnly?: true;
  /** Its own errors. Every endpoint may also answer `invalid`, `unauthenticated`, `too_large`, `too_slow`, `unsupported_type`, `internal`, `busy`, `unavailable`, `storage_full`. */
  readonly errors: readonly ErrorCode[];
}

/** How fields are named whose value opens something. */
type SecretName = `${string}${
  | 'token'
  | 'ticket'
  | 'secret'
  | 'password'
  | 'challenge'
  | 'credential'
  | 'cookie'
  | 'recoverycodes'}${string}`;

/** The fields of an answer, however deep, that are named like a secret and can hold one. */
type SecretFields<Value> = Value extends readonly (infer Item)[]
  ? SecretFields<Item>
  : Value extends object
    ? {
        [Key in keyof Value & string]: Lowercase<Key> extends SecretName
          ? // Yes and no are no secret.
            Value[Key] extends boolean
            ? never
            : Key
          : SecretFields<Value[Key]>;
      }[keyof Value & string]
    : never;

type SecretFree<Output extends z.ZodType> = [SecretFields<z.output<Output>>] extends [never]
  ? unknown
  : { readonly 'may not be compressed, because of': SecretFields<z.output<Output>> };

const byId = z.strictObject({ id: IdText });
const noQuery = z.strictObject({});

const value = <Output extends z.ZodType>(output: Output) => ({ answer: 'value', status: 200, output }) as const;
const created = <Output extends z.ZodType>(output: Output) => ({ answer: 'value', status: 201, output }) as const;
/** Like `value`, for an answer that holds no secret: one with a field that is named like one does not compile. */
const openValue = <Output extends z.ZodType>(output: Output & SecretFree<Output>) =>
  ({ ...value(output as Output), holdsNoSecret: true }) as const;
/** Rows of the portal's data: like `openValue`, one with a secret does not compile. */
const list = <Row extends z.ZodType>(row: Row & SecretFree<Row>) =>
  ({ answer: 'list', status: 200, output: z.array(row as Row), holdsNoSecret: true }) as const;
const nothing = { answer: 'nothing', status: 204 } as const;
const bytes = { answer: 'bytes', status: 200 } as const;
const table = { answer: 'document', status: 200, contentType: 'text/csv', holdsNoSecret: true } as const;
/** Like `value`, a message holds no secret; it leaves as it is all the same, since nothing of it may wait. */
const events = <Message extends z.ZodType>(message: Message & SecretFree<Message>) =>
  ({ answer: 'events', status: 200, message: message as Message }) as const;
const certificate = <Data extends z.ZodType>(data: Data & SecretFree<Data>) =>
  ({ answer: 'document', status: 200, contentType: 'application/pdf', data: data as Data }) as const;
const archive = { answer: 'document', status: 200, contentType: 'application/zip' } as const;

/** Many rows at once, all or none. */
const rowsAtOnce = { bodyBytesMax: IMPORT_BYTES_MAX, ...openValue(ImportResult) } as const;

const safeguardsOnly = { safeguardsOnly: true } as const;
const keepsNothingAlive = { keepsNothingAlive: true } as const;
const readsOnly = { readsOnly: true } as const;
const matchesVersion = { matchesVersion: true } as const;
const passwordChanges = { body: PasswordChange, strictBody: passwordChange('safeguards') };
const joins = { body: Joining, strictBody: joining('safeguards') };
const userCreates = { body: UserCreate, strictBody: userCreate('safeguards') };
const userImports = { body: UserImport, strictBody: userImport('safeguards') };
const userUpdates = { body: UserUpdate, strictBody: userUpdate('safeguards') };

export const api = {
  'session.login': {
    ...addressOf('session.login'),
    action: 'session.open',
    summary: 'Sign in; with SAFEGUARDS=on the password alone opens nothing but the question for the second factor',
    body: LoginRequest,
    ...value(LoginAnswer),
    errors: ['bad_credentials', 'too_many', 'locked_out'],
  },
  'session.second-factor': {
    ...addressOf('session.second-factor'),
    ...safeguardsOnly,
    action: 'session.open',
    summary: 'Finish a sign-in with its second factor',
    body: SecondFactorRequest,
    ...value(LoginResponse),
    errors: ['wrong_code', 'challenge_over', 'too_many', 'locked_out', 'passkey_address', 'not_found'],
  },
  'session.second-factor-passkey': {
    ...addressOf('session.second-factor-passkey'),
    ...safeguardsOnly,
    action: 'session.open',
    summary: 'What a passkey is to sign to finish a sign-in',
    body: ChallengeRequest,
    ...value(PasskeyRequestOptions),
    errors: ['challenge_over', 'passkey_address', 'not_found'],
  },
  'session.invitation': {
    ...addressOf('session.invitation'),
    action: 'session.open',
    summary: 'Whom a link to choose a password is for; it stays as it was',
    body: InvitationRequest,
    ...value(InvitationFacts),
    errors: ['invitation_invalid', 'invitation_expired', 'password_link_expired', 'too_many', 'locked_out'],
  },
  'session.join': {
    ...addressOf('session.join'),
    action: 'session.open',
    summary: 'Choose the password that a link asks for, which uses the link up, and sign in with it',
    ...joins,
    ...value(LoginAnswer),
    errors: [
      'invitation_invalid',
      'invitation_expired',
      'password_link_expired',
      'gone_meanwhile',
      'too_many',
      'locked_out',
    ],
  },
  'session.forgotten': {
    ...addressOf('session.forgotten'),
    action: 'session.open',
    summary:
      'Have a link to choose another password mailed; the answer is the same whether anybody has the name or not',
    body: ForgottenRequest,
    ...nothing,
    errors: ['not_found', 'too_many', 'locked_out'],
  },
  'session.logout': {
    ...addressOf('session.logout'),
    ...readsOnly,
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
    ...openValue(SessionUser),
    errors: [],
  },
  'session.preferences': {
    ...addressOf('session.preferences'),
    action: 'session.preferences',
    summary: 'Keep how the portal looks to oneself, and the client one works on; what is left out stays as it is',
    body: PreferencesChange,
    ...openValue(Preferences),
    errors: [],
  },
  'session.password': {
    ...addressOf('session.password'),
    action: 'session.password',
    summary: 'Change one’s own password; every other device is signed out and this one gets a new token',
    ...passwordChanges,
    ...value(LoginResponse),
    errors: ['wrong_password', 'reauth_required', 'too_many', 'locked_out'],
  },
  'session.devices': {
    ...addressOf('session.devices'),
    action: 'session.devices',
    summary: 'The devices one is signed in on',
    query: noQuery,
    ...list(SessionRow),
    errors: [],
  },
  'session.end-others': {
    ...addressOf('session.end-others'),
    action: 'session.devices',
    summary: 'Sign out everywhere else',
    ...nothing,
    errors: [],
  },
  'session.end': {
    ...addressOf('session.end'),
    action: 'session.devices',
    summary: 'Sign out one device',
    params: byId,
    ...nothing,
    errors: ['not_found'],
  },
  'session.reauth': {
    ...addressOf('session.reauth'),
    ...safeguardsOnly,
    action: 'session.use',
    summary: 'Confirm that it is oneself: for five minutes this session may do what asks for it',
    body: ReauthRequest,
    ...nothing,
    errors: ['wrong_code', 'too_many', 'locked_out', 'passkey_address', 'not_found'],
  },
  'session.reauth-passkey': {
    ...addressOf('session.reauth-passkey'),
    ...safeguardsOnly,
    action: 'session.use',
    summary: 'What a passkey is to sign to confirm that it is oneself',
    ...value(PasskeyRequestOptions),
    errors: ['passkey_address', 'not_found'],
  },
  'session.jobs': {
    ...addressOf('session.jobs'),
    action: 'session.jobs',
    summary: 'What one has ordered in the background, newest first: the newest 50',
    query: noQuery,
    ...list(OwnJobRow),
    errors: [],
  },
  'session.events': {
    ...addressOf('session.events'),
    action: 'session.devices',
    summary: 'What was done with one’s own account, newest first; without a limit the newest 50',
    query: SecurityEventQuery,
    ...list(SecurityEventRow),
    errors: [],
  },

  'factors.list': {
    ...addressOf('factors.list'),
    ...safeguardsOnly,
    action: 'factors.read',
    summary: 'The second factors one has set up',
    query: noQuery,
    ...value(Factors),
    errors: ['not_found'],
  },
  'factors.new-totp': {
    ...addressOf('factors.new-totp'),
    ...safeguardsOnly,
    action: 'factors.enrol',
    summary: 'A new secret for an authenticator app; it waits a quarter of an hour to be confirmed',
    ...value(TotpSetup),
    errors: ['reauth_required', 'not_found'],
  },
  'factors.confirm-totp': {
    ...addressOf('factors.confirm-totp'),
    ...safeguardsOnly,
    action: 'factors.enrol',
    summary: 'Set up the authenticator app whose secret waits, with a code that it shows',
    body: TotpConfirmation,
    ...value(Enrolled),
    errors: ['wrong_code', 'challenge_over', 'reauth_required', 'too_many', 'locked_out', 'not_found'],
  },
  'factors.remove-totp': {
    ...addressOf('factors.remove-totp'),
    ...safeguardsOnly,
    action: 'factors.change',
    summary: 'Remove one’s authenticator app',
    ...nothing,
    errors: ['reauth_required', 'last_factor', 'not_found'],
  },
  'factors.passkey-options': {
    ...addressOf('factors.passkey-options'),
    ...safeguardsOnly,
    action: 'factors.enrol',
    summary: 'What a browser is to make a passkey from',
    ...value(PasskeyCreationOptions),
    errors: ['reauth_required', 'passkey_address', 'not_found'],
  },
  'factors.add-passkey': {
    ...addressOf('factors.add-passkey'),
    ...safeguardsOnly,
    action: 'factors.enrol',
    summary: 'Set up a passkey',
    body: PasskeyRegistration,
    ...value(Enrolled),
    errors: ['wrong_code', 'challenge_over', 'reauth_required', 'passkey_address', 'not_found'],
  },
  'factors.remove-passkey': {
    ...addressOf('factors.remove-passkey'),
    ...safeguardsOnly,
    action: 'factors.change',
    summary: 'Remove one of one’s passkeys',
    params: byId,
    ...nothing,
    errors: ['reauth_required', 'last_factor', 'not_found'],
  },
  'factors.recovery-codes': {
    ...addressOf('factors.recovery-codes'),
    ...safeguardsOnly,
    action: 'factors.change',
    summary: 'Ten new recovery codes; the old ones are worth nothing from then on',
    ...value(RecoveryCodes),
    errors: ['reauth_required', 'not_found'],
  },

  'users.list': {
    ...addressOf('users.list'),
    action: 'users.read',
    summary: 'Users within reach',
    query: UserQuery,
    ...list(UserRow),
    errors: [],
  },
  'users.get': {
    ...addressOf('users.get'),
    action: 'users.read',
    summary: 'One user',
    params: byId,
    query: noQuery,
    ...openValue(UserDetails),
    errors: ['not_found'],
  },
  'users.create': {
    ...addressOf('users.create'),
    action: 'users.create',
    summary: 'Add a user',
    ...userCreates,
    ...created(UserRow),
    errors: ['forbidden', 'reauth_required', 'username_taken', 'name_looks_like', 'gone_meanwhile'],
  },
  'users.import': {
    ...addressOf('users.import'),
    action: 'users.create',
    summary: 'Add many users, all or none; role, clients and report types go by their names',
    ...userImports,
    ...rowsAtOnce,
    errors: ['forbidden', 'reauth_required', 'gone_meanwhile'],
  },
  'users.update': {
    ...addressOf('users.update'),
    ...matchesVersion,
    action: 'users.update',
    summary: 'Change a user; a blank password keeps the old one, a new one signs the user out everywhere',
    params: byId,
    ...userUpdates,
    ...value(UserRow),
    errors: [
      'forbidden',
      'reauth_required',
      'not_found',
      'username_taken',
      'last_admin',
      'own_password',
      'name_looks_like',
      'gone_meanwhile',
      'changed_meanwhile',
    ],
  },
  'users.delete': {
    ...addressOf('users.delete'),
    action: 'users.delete',
    summary: 'Delete a user',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'last_admin', 'own_account', 'reauth_required'],
  },
  'users.client-access': {
    ...addressOf('users.client-access'),
    action: 'users.read',
    summary: 'The ids in a user’s client-access list',
    params: byId,
    query: noQuery,
    ...openValue(z.array(Id)),
    errors: ['not_found'],
  },
  'users.report-access': {
    ...addressOf('users.report-access'),
    action: 'users.read',
    summary: 'The ids in a user’s report-access list',
    params: byId,
    query: noQuery,
    ...openValue(z.array(Id)),
    errors: ['not_found'],
  },
  'users.look': {
    ...addressOf('users.look'),
    action: 'users.look',
    summary: 'See the portal as a user has it: a session that only reads, for 30 minutes or as long as one’s own',
    params: byId,
    ...created(LoginResponse),
    errors: ['forbidden', 'reauth_required', 'not_found'],
  },
  'users.withdraw-invitation': {
    ...addressOf('users.withdraw-invitation'),
    action: 'users.withdraw-invitation',
    summary: 'Make the invitation link of a user worthless; the user stays, without a password',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'reauth_required', 'not_found'],
  },
  'users.reset-second-factor': {
    ...addressOf('users.reset-second-factor'),
    ...safeguardsOnly,
    action: 'users.reset-second-factor',
    summary: 'Remove every second factor of a user and sign the user out; the next sign-in sets up a new one',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'reauth_required', 'not_found'],
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
    errors: ['forbidden', 'role_name_taken', 'name_looks_like'],
  },
  'roles.update': {
    ...addressOf('roles.update'),
    ...matchesVersion,
    action: 'roles.update',
    summary: 'Rename a role',
    params: byId,
    body: RoleInput,
    ...value(RoleRow),
    errors: [
      'forbidden',
      'not_found',
      'role_name_taken',
      'role_built_in',
      'reauth_required',
      'name_looks_like',
      'changed_meanwhile',
    ],
  },
  'roles.delete': {
    ...addressOf('roles.delete'),
    action: 'roles.delete',
    summary: 'Delete a role nobody holds',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'role_built_in', 'role_in_use', 'reauth_required'],
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
    matchesVersion: true,
    errors: ['forbidden', 'reauth_required', 'not_found', 'role_built_in', 'gone_meanwhile', 'changed_meanwhile'],
  },
  'permissions.user': {
    ...addressOf('permissions.user'),
    action: 'permissions.read',
    summary: 'What a user reaches, and why',
    params: byId,
    query: noQuery,
    ...openValue(UserReach),
    errors: ['not_found'],
  },
  'permissions.client': {
    ...addressOf('permissions.client'),
    action: 'permissions.explain',
    summary: 'Who reaches a client, and why',
    params: byId,
    query: noQuery,
    ...openValue(ClientReach),
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
    ...openValue(ClientRow),
    errors: ['not_found'],
  },
  'clients.create': {
    ...addressOf('clients.create'),
    action: 'clients.create',
    summary: 'Add a client',
    body: ClientInput,
    ...created(ClientRow),
    errors: ['forbidden', 'name_looks_like', 'gone_meanwhile'],
  },
  'clients.import': {
    ...addressOf('clients.import'),
    action: 'clients.create',
    summary: 'Add many clients, all or none',
    body: ClientImport,
    ...rowsAtOnce,
    errors: ['forbidden', 'gone_meanwhile'],
  },
  'clients.update': {
    ...addressOf('clients.update'),
    ...matchesVersion,
    action: 'clients.update',
    summary: 'Change a client',
    params: byId,
    body: ClientInput,
    ...value(ClientRow),
    errors: ['forbidden', 'not_found', 'name_looks_like', 'gone_meanwhile', 'changed_meanwhile'],
  },
  'clients.removal': {
    ...addressOf('clients.removal'),
    action: 'clients.delete',
    summary: 'What would go with a client if it were deleted',
    params: byId,
    query: noQuery,
    ...value(ClientRemoval),
    errors: ['forbidden', 'not_found', 'reauth_required'],
  },
  'clients.delete': {
    ...addressOf('clients.delete'),
    action: 'clients.delete',
    summary:
      'Delete a client, its files, and its Client users who have no other client: they are in the trash until they are purged',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'own_account', 'on_hold', 'gone_meanwhile', 'reauth_required'],
  },
  'clients.restore': {
    ...addressOf('clients.restore'),
    action: 'clients.restore',
    summary:
      'Take a client out of the trash, with its files, its people and everybody’s access to it; under other names where those are taken',
    params: byId,
    body: ClientRestore,
    bodyMayBeAbsent: true,
    ...openValue(ClientRow),
    errors: [
      'forbidden',
      'not_found',
      'already_restored',
      'client_name_taken',
      'name_looks_like',
      'restored_user_taken',
      'gone_meanwhile',
      'reauth_required',
    ],
  },
  'clients.purge': {
    ...addressOf('clients.purge'),
    action: 'clients.purge',
    summary: 'Delete a client in the trash for ever, with all of its files and people that are there',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'already_restored', 'on_hold', 'reauth_required'],
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
    errors: ['forbidden', 'report_type_name_taken', 'name_looks_like'],
  },
  'report-types.import': {
    ...addressOf('report-types.import'),
    action: 'report-types.create',
    summary: 'Add many report types, all or none',
    body: ReportTypeImport,
    ...rowsAtOnce,
    errors: ['forbidden', 'gone_meanwhile'],
  },
  'report-types.update': {
    ...addressOf('report-types.update'),
    ...matchesVersion,
    action: 'report-types.update',
    summary: 'Rename a report type',
    params: byId,
    body: ReportTypeInput,
    ...value(ReportTypeRow),
    errors: [
      'forbidden',
      'not_found',
      'report_type_name_taken',
      'name_looks_like',
      'changed_meanwhile',
      'gone_meanwhile',
    ],
  },
  'report-types.save-phrases': {
    ...addressOf('report-types.save-phrases'),
    action: 'report-types.update',
    summary: 'Say by which phrases pages are recognised as of a report type: all of them',
    params: byId,
    body: PhrasesInput,
    ...value(ReportTypeRow),
    errors: ['forbidden', 'not_found', 'phrase_taken', 'gone_meanwhile'],
  },
  'report-types.delete': {
    ...addressOf('report-types.delete'),
    action: 'report-types.delete',
    summary: 'Delete a report type no file uses',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'report_type_in_use', 'reauth_required'],
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
    summary: 'The list of files, or those of the ids, as CSV, safe to open in a spreadsheet',
    query: FileExportRequest,
    ...table,
    errors: [],
  },
  'files.news': {
    ...addressOf('files.news'),
    action: 'files.read',
    summary: 'How many files that came lately the viewer has not opened yet; of one client where it is named',
    query: NewFilesQuery,
    ...openValue(NewFiles),
    errors: [],
  },
  'files.archive': {
    ...addressOf('files.archive'),
    ...readsOnly,
    action: 'files.read',
    summary: 'Several files as one ZIP with a manifest; each is a download in the log',
    body: ArchiveRequest,
    ...archive,
    errors: ['not_found', 'integrity'],
  },
  'files.marked': {
    ...addressOf('files.marked'),
    action: 'files.read-marks',
    summary: 'Uploads of Client users that name another client than theirs and that nobody has settled, newest first',
    query: MarkedQuery,
    ...list(MarkedFile),
    errors: ['forbidden'],
  },
  'files.readers': {
    ...addressOf('files.readers'),
    action: 'files.read-readers',
    summary: 'How many of its client’s people see each report of the ids, and when one of them last opened it',
    query: ReadersQuery,
    ...openValue(FilesReaders),
    errors: ['forbidden'],
  },
  'files.settle-mark': {
    ...addressOf('files.settle-mark'),
    action: 'files.settle-mark',
    summary: 'Say that a file is right where it is, although it names another client',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found'],
  },
  'files.facts': {
    ...addressOf('files.facts'),
    action: 'files.read',
    summary: 'What is known of one file, and its neighbours in a list, newest first',
    params: byId,
    query: FileNeighbourQuery,
    ...openValue(FileDetails),
    errors: ['not_found'],
  },
  'files.already-there': {
    ...addressOf('files.already-there'),
    action: 'files.read',
    summary: 'Which files that are about to be uploaded are there already: same name, client, kind and type',
    body: AlreadyThereRequest,
    bodyBytesMax: ALREADY_THERE_BYTES_MAX,
    ...openValue(AlreadyThere),
    errors: [],
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
      'checksum_mismatch',
      'idempotency_mismatch',
      'names_another_client',
      'on_hold',
      'gone_meanwhile',
      'reauth_required',
    ],
  },
  'files.search-inside': {
    ...addressOf('files.search-inside'),
    action: 'files.read',
    summary:
      'Files by what stands on their pages, newest first, each with its first page found and the text around the words',
    query: InsideQuery,
    ...openValue(InsideFound),
    errors: [],
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
    ...readsOnly,
    action: 'files.read',
    summary: 'A ticket that opens this one file within a minute',
    params: byId,
    ...created(ViewTicket),
    errors: ['not_found'],
  },
  'files.periods': {
    ...addressOf('files.periods'),
    action: 'files.read',
    summary: 'How many files of a client there are for each quarter, and for each year as a whole, newest first',
    query: FilePeriodsQuery,
    ...openValue(z.array(PeriodCount)),
    errors: [],
  },
  'files.set-period': {
    ...addressOf('files.set-period'),
    action: 'files.refile',
    summary: 'File several files for one period, all or none',
    body: PeriodsInput,
    ...value(PeriodsSet),
    errors: ['forbidden', 'not_found', 'gone_meanwhile', 'reauth_required'],
  },
  'files.refile': {
    ...addressOf('files.refile'),
    action: 'files.refile',
    summary: 'File a file elsewhere: under another client, kind or type',
    params: byId,
    body: RefileInput,
    ...value(FileRow),
    errors: ['forbidden', 'not_found', 'names_another_client', 'on_hold', 'gone_meanwhile', 'reauth_required'],
  },
  'files.delete': {
    ...addressOf('files.delete'),
    action: 'files.delete',
    summary: 'Delete a file, or take back a report: it is in the trash until it is purged',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'on_hold', 'opened_meanwhile', 'take_back_over', 'reauth_required'],
  },
  'files.restore': {
    ...addressOf('files.restore'),
    action: 'files.restore',
    summary: 'Take a file out of the trash; where its client or report type is gone, under the ones that are named',
    params: byId,
    body: FileRestore,
    bodyMayBeAbsent: true,
    ...openValue(FileRow),
    errors: [
      'forbidden',
      'not_found',
      'already_restored',
      'client_in_trash',
      'report_type_gone',
      'on_hold',
      'gone_meanwhile',
      'reauth_required',
    ],
  },
  'files.purge': {
    ...addressOf('files.purge'),
    action: 'files.purge',
    summary: 'Delete a file in the trash for ever: nobody restores it, and its bytes go within the hour',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'already_restored', 'client_in_trash', 'on_hold', 'reauth_required'],
  },

  'trash.list': {
    ...addressOf('trash.list'),
    action: 'trash.read',
    summary: 'Deleted files and clients that one may restore, newest first',
    query: TrashQuery,
    ...list(TrashRow),
    errors: [],
  },

  'holds.list': {
    ...addressOf('holds.list'),
    action: 'holds.read',
    summary: 'Holds on files and clients within reach with their reasons, newest first; for staff',
    query: HoldQuery,
    ...list(HoldRow),
    errors: ['forbidden'],
  },
  'holds.place': {
    ...addressOf('holds.place'),
    action: 'holds.manage',
    summary:
      'Put a file or a client on hold: nobody deletes, purges, replaces or re-files it away until the hold is lifted',
    body: HoldInput,
    ...created(HoldRow),
    errors: ['forbidden', 'not_found', 'already_on_hold', 'reauth_required'],
  },
  'holds.lift': {
    ...addressOf('holds.lift'),
    action: 'holds.manage',
    summary: 'Lift a hold',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'hold_lifted', 'reauth_required'],
  },

  'retention.list': {
    ...addressOf('retention.list'),
    action: 'retention.read',
    summary: 'Files whose years are over, the longest due first, with what is on hold',
    query: RetentionQuery,
    ...list(DueFile),
    errors: ['forbidden'],
  },
  'retention.rules': {
    ...addressOf('retention.rules'),
    action: 'retention.read',
    summary: 'How many years files are kept, by report type and without one',
    query: noQuery,
    ...openValue(RetentionRules),
    errors: ['forbidden'],
  },
  'retention.save-rule': {
    ...addressOf('retention.save-rule'),
    action: 'retention.manage',
    summary: 'Say how many years files of a report type, or without one, are kept',
    body: RetentionRuleInput,
    ...openValue(RetentionRules),
    errors: ['forbidden', 'not_found', 'reauth_required'],
  },
  'retention.dispose': {
    ...addressOf('retention.dispose'),
    action: 'retention.manage',
    summary: 'Dispose of due files in the background, for good; each is judged again when its turn comes',
    body: DisposalOrder,
    ...created(DisposalRow),
    errors: ['forbidden', 'gone_meanwhile', 'reauth_required'],
  },
  'retention.disposals': {
    ...addressOf('retention.disposals'),
    action: 'retention.read',
    summary: 'What was disposed of, newest first',
    query: DisposalQuery,
    ...list(DisposalRow),
    errors: ['forbidden'],
  },
  'retention.certificate': {
    ...addressOf('retention.certificate'),
    action: 'retention.read',
    summary: 'The certificate of a disposal: a PDF, or JSON with `format=json`',
    params: byId,
    query: CertificateQuery,
    ...certificate(DisposalCertificate),
    errors: ['forbidden', 'not_found'],
  },
  'retention.export': {
    ...addressOf('retention.export'),
    action: 'retention.read',
    summary: 'The files of a disposal as CSV',
    params: byId,
    query: noQuery,
    ...table,
    errors: ['forbidden', 'not_found'],
  },
  'retention.decide-rest': {
    ...addressOf('retention.decide-rest'),
    action: 'retention.manage',
    summary: 'Go on with a disposal that stopped, or leave the files that still wait where they are',
    params: byId,
    body: DisposalRest,
    ...openValue(DisposalRow),
    errors: ['forbidden', 'not_found', 'gone_meanwhile', 'reauth_required'],
  },

  'archives.list': {
    ...addressOf('archives.list'),
    action: 'archives.use',
    summary: 'One’s own prepared ZIPs, newest first',
    query: noQuery,
    ...list(ArchiveRow),
    errors: [],
  },
  'archives.order': {
    ...addressOf('archives.order'),
    action: 'archives.use',
    summary: 'Prepare a ZIP of many files in the background',
    body: ArchiveOrder,
    ...created(ArchiveRow),
    errors: ['not_found', 'archives_max'],
  },
  'archives.open': {
    ...addressOf('archives.open'),
    action: 'archives.use',
    summary: 'Download a prepared ZIP; each file in it must still be in reach, and is a download in the log',
    params: byId,
    query: noQuery,
    ...bytes,
    errors: ['not_found', 'archive_not_ready', 'archive_outdated', 'range_not_satisfiable', 'integrity'],
  },
  'archives.retry': {
    ...addressOf('archives.retry'),
    action: 'archives.use',
    summary: 'Prepare a ZIP again that failed',
    params: byId,
    ...value(ArchiveRow),
    errors: ['not_found'],
  },
  'archives.delete': {
    ...addressOf('archives.delete'),
    action: 'archives.use',
    summary: 'Remove a prepared ZIP, or stop preparing it',
    params: byId,
    ...nothing,
    errors: ['not_found'],
  },

  'batches.list': {
    ...addressOf('batches.list'),
    action: 'batches.use',
    summary: 'Batches: one’s own, or everybody’s with reach over everything; newest first',
    query: BatchQuery,
    ...list(BatchRow),
    errors: ['forbidden'],
  },
  'batches.create': {
    ...addressOf('batches.create'),
    action: 'batches.use',
    summary: 'Begin a batch',
    body: BatchInput,
    ...created(BatchRow),
    errors: ['forbidden'],
  },
  'batches.get': {
    ...addressOf('batches.get'),
    action: 'batches.use',
    summary: 'A batch with its files',
    params: byId,
    query: noQuery,
    ...openValue(BatchDetails),
    errors: ['forbidden', 'not_found'],
  },
  'batches.add-file': {
    ...addressOf('batches.add-file'),
    action: 'batches.use',
    summary: 'Add a file to a batch that is not read yet; the same bytes are stored once',
    params: byId,
    upload: BatchUploadFields,
    ...created(BatchFileAdded),
    errors: [
      'forbidden',
      'not_found',
      'file_too_large',
      'checksum_mismatch',
      'batch_not_adding',
      'batch_files_max',
      'gone_meanwhile',
    ],
  },
  'batches.leave-out': {
    ...addressOf('batches.leave-out'),
    action: 'batches.use',
    summary: 'Name files that were dropped and not sent, with the reason; the same is named once',
    params: byId,
    body: LeftOutTold,
    bodyBytesMax: LEFT_OUT_BYTES_MAX,
    ...value(BatchRow),
    errors: ['forbidden', 'not_found', 'batch_not_adding'],
  },
  'batches.unlock-file': {
    ...addressOf('batches.unlock-file'),
    action: 'batches.use',
    summary:
      'Open a file with its password and read it in the background; the password is not kept, nor the need for it',
    params: byId,
    body: FilePassword,
    ...openValue(BatchFileRow),
    errors: [
      'forbidden',
      'not_found',
      'batch_not_in_review',
      'document_not_open',
      'gone_meanwhile',
      'too_many',
      'integrity',
    ],
  },
  'batches.read': {
    ...addressOf('batches.read'),
    action: 'batches.use',
    summary: 'Read the files of a batch in the background and propose its documents',
    params: byId,
    ...value(BatchRow),
    errors: ['forbidden', 'not_found', 'batch_empty', 'batch_not_adding'],
  },
  'batches.documents': {
    ...addressOf('batches.documents'),
    action: 'batches.use',
    summary: 'The documents of a batch, by file and page, with what speaks for each proposal, page by page',
    params: byId,
    query: DocumentsQuery,
    ...list(DocumentRow),
    errors: ['forbidden', 'not_found'],
  },
  'batches.decide': {
    ...addressOf('batches.decide'),
    action: 'batches.use',
    summary: 'Say what documents are, accept them or drop them; answers them as they are then',
    params: byId,
    body: DocumentDecision,
    ...openValue(z.array(DocumentRow)),
    errors: [
      'forbidden',
      'not_found',
      'batch_not_in_review',
      'document_not_open',
      'document_incomplete',
      'phrase_taken',
      'gone_meanwhile',
    ],
  },
  'batches.split': {
    ...addressOf('batches.split'),
    action: 'batches.use',
    summary: 'Make two documents of one; both are to be checked',
    params: byId,
    body: DocumentSplit,
    ...openValue(z.array(DocumentRow)),
    errors: ['forbidden', 'not_found', 'batch_not_in_review', 'document_not_open'],
  },
  'batches.join': {
    ...addressOf('batches.join'),
    action: 'batches.use',
    summary: 'Join a document with the one before it in the same file',
    params: byId,
    body: DocumentJoin,
    ...openValue(z.array(DocumentRow)),
    errors: ['forbidden', 'not_found', 'batch_not_in_review', 'document_not_open'],
  },
  'batches.open-file': {
    ...addressOf('batches.open-file'),
    action: 'batches.use',
    summary: 'Open a file of a batch in place, by the id of the file: whole, or the pages of one document of it',
    params: byId,
    query: BatchFileOpenQuery,
    ...bytes,
    errors: ['forbidden', 'not_found', 'range_not_satisfiable', 'integrity'],
  },
  'batches.release': {
    ...addressOf('batches.release'),
    action: 'batches.release',
    summary: 'Release accepted documents in the background: each becomes a file of its client',
    params: byId,
    body: ReleaseRequest,
    ...value(BatchRow),
    errors: ['forbidden', 'not_found', 'batch_not_in_review', 'nothing_accepted', 'four_eyes', 'reauth_required'],
  },
  'batches.recall': {
    ...addressOf('batches.recall'),
    action: 'batches.recall',
    summary: 'Take released documents from everybody at once; answers who had opened them',
    params: byId,
    body: RecallRequest,
    ...openValue(RecallResult),
    errors: ['forbidden', 'not_found', 'nothing_released', 'on_hold', 'reauth_required'],
  },
  'batches.accesses': {
    ...addressOf('batches.accesses'),
    action: 'batches.use',
    summary: 'Who opened or downloaded released documents of a batch, newest first',
    params: byId,
    query: noQuery,
    ...list(DocumentAccess),
    errors: ['forbidden', 'not_found'],
  },
  'batches.certificate': {
    ...addressOf('batches.certificate'),
    action: 'batches.use',
    summary: 'What of a batch was released to whom, as far as one sees it: a PDF, or JSON with `format=json`',
    params: byId,
    query: CertificateQuery,
    ...certificate(BatchCertificate),
    errors: ['forbidden', 'not_found', 'nothing_released'],
  },
  'batches.discard': {
    ...addressOf('batches.discard'),
    action: 'batches.discard',
    summary: 'Discard a batch of which nothing is released, with its files',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'batch_released', 'reauth_required'],
  },
  'suggestions.list': {
    ...addressOf('suggestions.list'),
    action: 'suggestions.read',
    summary:
      'Words that reviewers had remembered for their own batches: one’s own, and those of whoever suggests what one keeps',
    query: SuggestionQuery,
    ...list(SuggestionRow),
    errors: ['forbidden'],
  },
  'suggestions.accept': {
    ...addressOf('suggestions.accept'),
    action: 'suggestions.accept',
    summary: 'Make suggested words a phrase of the report type, or another name of the client, for everybody',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found', 'phrase_taken', 'gone_meanwhile'],
  },
  'suggestions.remove': {
    ...addressOf('suggestions.remove'),
    action: 'suggestions.remove',
    summary: 'Take back what one suggested, or decline what somebody else did',
    params: byId,
    ...nothing,
    errors: ['forbidden', 'not_found'],
  },

  'firm-settings.get': {
    ...addressOf('firm-settings.get'),
    action: 'firm-settings.read',
    summary: 'What the firm has decided for everybody',
    query: noQuery,
    ...openValue(FirmSettings),
    errors: ['forbidden'],
  },
  'firm-settings.update': {
    ...addressOf('firm-settings.update'),
    action: 'firm-settings.update',
    summary:
      'Decide for everybody: whether a document of a batch is released by somebody else than who accepted it, where people write to who need help, and what the firm shows of itself: name, logo, colour, address, phone and a welcome',
    body: FirmSettingsInput,
    ...openValue(FirmSettings),
    matchesVersion: true,
    errors: ['forbidden', 'reauth_required', 'changed_meanwhile'],
  },

  'completeness.board': {
    ...addressOf('completeness.board'),
    action: 'completeness.read',
    summary: 'What is expected of clients in a period and what of it is there, by client and report type',
    query: BoardQuery,
    ...list(BoardRow),
    errors: ['forbidden'],
  },
  'completeness.export': {
    ...addressOf('completeness.export'),
    action: 'completeness.read',
    summary: 'The same as CSV, a line for each expected report, safe to open in a spreadsheet',
    query: BoardExportQuery,
    ...table,
    errors: ['forbidden'],
  },
  'completeness.summary': {
    ...addressOf('completeness.summary'),
    action: 'completeness.read',
    summary: 'How many expected reports of a period are there, late or missing',
    query: SummaryQuery,
    ...openValue(BoardSummary),
    errors: ['forbidden'],
  },
  'completeness.propose': {
    ...addressOf('completeness.propose'),
    action: 'completeness.manage',
    summary: 'What the files of clients speak for expecting; nothing is stored',
    body: ProposalRequest,
    ...openValue(Proposals),
    errors: ['forbidden', 'not_found'],
  },
  'completeness.save-many': {
    ...addressOf('completeness.save-many'),
    action: 'completeness.manage',
    summary: 'Say what is expected of many clients, all or none',
    body: ManyExpectations,
    bodyBytesMax: EXPECTATIONS_BYTES_MAX,
    ...openValue(ManySaved),
    errors: ['forbidden', 'not_found', 'gone_meanwhile'],
  },
  'completeness.list': {
    ...addressOf('completeness.list'),
    action: 'completeness.read',
    summary: 'What is expected of a client, by report type',
    params: byId,
    query: noQuery,
    ...openValue(z.array(ExpectationRow)),
    errors: ['forbidden', 'not_found'],
  },
  'completeness.save': {
    ...addressOf('completeness.save'),
    action: 'completeness.manage',
    summary: 'Say what is expected of a client: all of it, as far as its report types are in reach',
    params: byId,
    body: ExpectationsInput,
    ...openValue(z.array(ExpectationRow)),
    errors: ['forbidden', 'not_found', 'gone_meanwhile'],
  },

  'requests.list': {
    ...addressOf('requests.list'),
    action: 'requests.read',
    summary: 'What clients in reach are asked for, what is due first on top',
    query: RequestQuery,
    ...list(RequestRow),
    errors: ['forbidden'],
  },
  'requests.summary': {
    ...addressOf('requests.summary'),
    action: 'requests.read',
    summary: 'How many requests are open, late, due soon and to review',
    query: RequestSummaryQuery,
    ...openValue(RequestSummary),
    errors: ['forbidden'],
  },
  'requests.create': {
    ...addressOf('requests.create'),
    action: 'requests.manage',
    summary: 'Ask clients for documents: a request to each of them, all or none',
    body: RequestInput,
    ...created(RequestsMade),
    errors: ['forbidden', 'not_found', 'gone_meanwhile'],
  },
  'requests.get': {
    ...addressOf('requests.get'),
    action: 'requests.read',
    summary: 'A request with its items and what was sent for each',
    params: byId,
    query: noQuery,
    ...openValue(RequestDetails),
    errors: ['forbidden', 'not_found'],
  },
  'requests.update': {
    ...addressOf('requests.update'),
    action: 'requests.manage',
    summary: 'Change title, message, due day and items of a request that is not closed; what was answered stays',
    params: byId,
    body: RequestChange,
    ...matchesVersion,
    ...openValue(RequestDetails),
    errors: ['forbidden', 'not_found', 'request_closed', 'changed_meanwhile'],
  },
  'requests.close': {
    ...addressOf('requests.close'),
    action: 'requests.manage',
    summary: 'Close an open request: nothing more is sent for it, and what was sent stays',
    params: byId,
    ...openValue(RequestDetails),
    errors: ['forbidden', 'not_found'],
  },
  'requests.reopen': {
    ...addressOf('requests.reopen'),
    action: 'requests.manage',
    summary: 'Reopen a closed request',
    params: byId,
    ...openValue(RequestDetails),
    errors: ['forbidden', 'not_found'],
  },
  'requests.send-file': {
    ...addressOf('requests.send-file'),
    action: 'requests.answer',
    summary: 'Send a file for an item: a company document of the client, like any other',
    params: byId,
    upload: RequestUploadFields,
    ...created(RequestItem),
    errors: [
      'forbidden',
      'not_found',
      'request_closed',
      'request_item_accepted',
      'gone_meanwhile',
      'file_too_large',
      'checksum_mismatch',
      'idempotency_mismatch',
    ],
  },
  'requests.say-not': {
    ...addressOf('requests.say-not'),
    action: 'requests.answer',
    summary: 'Say that an item does not apply',
    params: byId,
    body: NotApplying,
    ...openValue(RequestItem),
    errors: ['forbidden', 'not_found', 'request_closed', 'request_item_accepted'],
  },
  'requests.decide': {
    ...addressOf('requests.decide'),
    action: 'requests.manage',
    summary: 'Accept what was said or sent for an item, or send it back with a reason',
    params: byId,
    body: ItemDecision,
    ...matchesVersion,
    ...openValue(RequestItem),
    errors: ['forbidden', 'not_found', 'request_closed', 'request_item_unanswered', 'changed_meanwhile'],
  },
  'requests.templates': {
    ...addressOf('requests.templates'),
    action: 'requests.manage',
    summary: 'What requests begin with, by name',
    query: noQuery,
    ...openValue(z.array(TemplateRow)),
    errors: ['forbidden'],
  },
  'requests.create-template': {
    ...addressOf('requests.create-template'),
    action: 'requests.keep-templates',
    summary: 'Add a template',
    body: TemplateInput,
    ...created(TemplateRow),
    errors: ['forbidden', 'request_template_name_taken'],
  },
  'requests.update-template': {
    ...addressOf('requests.update-template'),
    action: 'requests.keep-templates',
    summary: 'Change a template; requests that were made with it stay as they are',
    params: byId,
    body: TemplateInput,
    ...matchesVersion,
    ...openValue(TemplateRow),
    errors: ['forbidden', 'not_found', 'request_template_name_taken', 'changed_meanwhile'],
  },
  'requests.delete-template': {
    ...addressOf('requests.delete-template'),
    action: 'requests.keep-templates',
    summary: 'Delete a template; requests that were made with it stay as they are',
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
    errors: ['reauth_required'],
  },
  'activity.export': {
    ...addressOf('activity.export'),
    action: 'activity.export',
    summary: 'The activity log within reach as CSV, safe to open in a spreadsheet',
    query: ActivityExportQuery,
    ...table,
    errors: ['reauth_required'],
  },
  'activity.announce': {
    ...addressOf('activity.announce'),
    action: 'activity.announce',
    summary: 'Announce a view or download; the server joins it with the access it records',
    body: AccessAnnouncement,
    ...created(ActivityRow),
    errors: ['not_found', 'too_many', 'gone_meanwhile'],
  },
  'overview.get': {
    ...addressOf('overview.get'),
    action: 'overview.read',
    summary: 'Totals, the latest activity and the latest uploads within reach',
    query: noQuery,
    ...openValue(Overview),
    errors: [],
  },
  'overview.first-steps': {
    ...addressOf('overview.first-steps'),
    action: 'first-steps.read',
    summary: 'What of the first steps through an empty firm is done',
    query: noQuery,
    ...openValue(FirstSteps),
    errors: ['forbidden'],
  },
  'overview.dismiss-first-steps': {
    ...addressOf('overview.dismiss-first-steps'),
    action: 'first-steps.dismiss',
    summary: 'Put the guide through an empty firm away for everybody, or bring it back',
    body: FirstStepsInput,
    ...openValue(FirstSteps),
    errors: ['forbidden'],
  },

  'changes.follow': {
    ...addressOf('changes.follow'),
    ...keepsNothingAlive,
    action: 'changes.read',
    summary:
      'What changes within reach, as server-sent events; to a caller that does not accept text/event-stream what has changed since `Last-Event-ID`, and no more',
    query: noQuery,
    ...events(ChangeMessage),
    errors: ['too_many'],
  },

  'jobs.list': {
    ...addressOf('jobs.list'),
    action: 'jobs.read',
    summary: 'Work in the background, newest first; without a limit the newest 1,000',
    query: JobQuery,
    ...list(JobRow),
    errors: ['forbidden'],
  },
  'jobs.retry': {
    ...addressOf('jobs.retry'),
    action: 'jobs.manage',
    summary: 'Run a job again that failed or was cancelled',
    params: byId,
    ...value(JobRow),
    errors: ['forbidden', 'not_found', 'job_not_ended'],
  },
  'jobs.cancel': {
    ...addressOf('jobs.cancel'),
    action: 'jobs.manage',
    summary: 'Cancel a job that waits, or ask one that runs to stop',
    params: byId,
    ...value(JobRow),
    errors: ['forbidden', 'not_found', 'job_ended'],
  },

  'mail.facts': {
    ...addressOf('mail.facts'),
    action: 'mail.read',
    summary: 'How mail is set up, and how many mails fail',
    ...openValue(MailFacts),
    errors: ['forbidden'],
  },
  'mail.list': {
    ...addressOf('mail.list'),
    action: 'mail.read',
    summary: 'The mails of the last thirty days, newest first; without a limit the newest 1,000',
    query: MailQuery,
    ...list(MailRow),
    errors: ['forbidden'],
  },
  'mail.retry': {
    ...addressOf('mail.retry'),
    action: 'mail.manage',
    summary: 'Have a mail tried again that failed',
    params: byId,
    ...value(MailRow),
    errors: ['forbidden', 'not_found', 'mail_not_failed'],
  },
  'mail.test': {
    ...addressOf('mail.test'),
    action: 'mail.manage',
    summary: 'Send a test mail to an address',
    body: MailTest,
    ...created(MailRow),
    errors: ['forbidden', 'mail_off'],
  },

  'digests.own': {
    ...addressOf('digests.own'),
    action: 'digests.choose',
    summary: 'What one hears of by mail, how often, and where it goes',
    query: noQuery,
    ...openValue(OwnDigests),
    errors: [],
  },
  'digests.choose': {
    ...addressOf('digests.choose'),
    action: 'digests.choose',
    summary: 'Choose how often one hears of a topic by mail; null goes by what is usual',
    body: DigestChoice,
    ...openValue(OwnDigests),
    errors: [],
  },
  'digests.usual': {
    ...addressOf('digests.usual'),
    action: 'mail.read',
    summary: 'How often people hear by mail of what who have not chosen',
    query: noQuery,
    ...openValue(UsualDigests),
    errors: ['forbidden'],
  },
  'digests.set-usual': {
    ...addressOf('digests.set-usual'),
    action: 'mail.manage',
    summary: 'Set how often people hear by mail of what who have not chosen; what is left out stays as it is',
    body: UsualDigestsInput,
    ...openValue(UsualDigests),
    errors: ['forbidden'],
  },
  'digests.end-page': {
    ...addressOf('digests.end-page'),
    action: 'session.open',
    summary: 'Leads whoever opens the address of List-Unsubscribe to the page that asks; uses nothing up',
    query: EndingLink,
    answer: 'html',
    status: 200,
    errors: [],
  },
  'digests.end': {
    ...addressOf('digests.end'),
    action: 'session.open',
    summary:
      'End the mails that a link is about, without a sign-in: what a mail program sends for List-Unsubscribe (RFC 8058)',
    takesForm: true,
    query: EndingLink,
    ...nothing,
    errors: ['ending_link_invalid', 'too_many', 'locked_out'],
  },

  'unopened.list': {
    ...addressOf('unopened.list'),
    action: 'files.read-readers',
    summary:
      'Reports that nobody of their client has opened, counted by client and report type; without a limit the first 1,000',
    query: UnopenedQuery,
    ...list(UnopenedRow),
    errors: ['forbidden'],
  },
  'unopened.remind': {
    ...addressOf('unopened.remind'),
    action: 'files.remind',
    summary: 'Remind by mail those who see such reports: one mail a person, and once a day of the same report',
    body: ReminderOrder,
    ...openValue(Reminded),
    errors: ['forbidden', 'mail_off'],
  },
  'system.facts': {
    ...addressOf('system.facts'),
    action: 'system.read',
    summary: 'How the portal itself fares, and what is wrong with it',
    query: noQuery,
    ...openValue(SystemFacts),
    errors: ['forbidden'],
  },

  'docs.openapi': {
    ...addressOf('docs.openapi'),
    action: 'api.describe',
    summary: 'This API as an OpenAPI 3.1 document',
    ...openValue(z.unknown()),
    errors: [],
  },
  'docs.page': {
    ...addressOf('docs.page'),
    action: 'api.describe',
    summary: 'This API as a page to read',
    answer: 'html',
    status: 200,
    holdsNoSecret: true,
    errors: [],
  },
} as const satisfies Record<EndpointName, EndpointShape>;

export type { EndpointName };
export type Endpoint = EndpointShape;

/** Whether somebody who looks as another person may call it: what says that it reads, by its method or by name, and no other. */
export const servesLooks = ({ method, readsOnly, action }: Endpoint): boolean =>
  (method === 'GET' || readsOnly === true) && isActOfLooks(action);

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
