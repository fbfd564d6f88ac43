// One example of each shape that people write or read, for the API's description. Checked against the shapes by the compiler and a test.
import type { Shape, ShapeName } from './openapi-shapes.ts';

const INSTANT = '2026-11-13T15:04:05.000Z';
const LATER = '2026-11-20T15:04:05.000Z';
const PASSWORD = 'correct horse battery staple';
const CHALLENGE = 'pM1cT3nQx5k0Yv8bWq2uJ7rE6sZaHfLdGiKoNtVy4Xw';
const CODES = ['ABCD-EFGH-JKMN-PQRS', 'TVWX-YZ23-4567-89AB'];

const client = {
  name: 'Harbor & Pine Bakery LLC',
  address: '12 Harbor Street, Portland, ME 04101',
  phone: '(207)-555-0142',
  federalId: '00-1234567',
  stateId: 'ME-88121',
  email: 'office@example.com',
  employeeCount: 12,
  startDate: '2026-01-01',
} as const satisfies Shape<'ClientInput'>;

const user = {
  id: 7,
  username: 'rosa.okafor',
  fullName: 'Rosa Okafor',
  roleId: 2,
  roleName: 'CPA',
  role: { id: 2, name: 'CPA' },
  clientIds: [1],
  reportTypeIds: [3],
  commonRouting: true,
} satisfies Shape<'UserRow'>;

const sessionUser = {
  ...user,
  capabilities: ['reports.upload', 'documents.upload', 'files.delete', 'activity.read-clients'],
  reach: 'lists',
  roleKey: 'cpa',
  session: { idleMaxMs: 604_800_000, endsAt: LATER },
} satisfies Shape<'SessionUser'>;

const session = {
  token: 'k9Xb2QmV7tRz4LwP8sYc1NfJ6hGd3KaE5uTo0iHvBxM',
  user: sessionUser,
} satisfies Shape<'LoginResponse'>;

const file = {
  id: 42,
  originalName: 'HarborPine_PayrollJournal_2026-11-13.pdf',
  size: 48_213,
  contentType: 'application/pdf',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  uploadedAt: INSTANT,
  createdAt: INSTANT,
  uploadedById: 7,
  uploaderName: 'Rosa Okafor',
  clientId: 1,
  clientName: client.name,
  reportTypeId: 3,
  reportTypeName: 'Payroll Journal',
  fileType: 'report',
  documentType: null,
} satisfies Shape<'FileRow'>;

const entry = {
  id: 901,
  action: 'download',
  fileId: file.id,
  fileName: file.originalName,
  fileOpens: true,
  announcedOnly: false,
  details: `Downloaded file: ${file.originalName}`,
  userId: user.id,
  userName: user.fullName,
  clientId: 1,
  clientName: client.name,
  timestamp: INSTANT,
} satisfies Shape<'ActivityRow'>;

const totp = { method: 'totp', code: '123456' } satisfies Shape<'FactorProof'>;

const userInput = {
  username: user.username,
  fullName: user.fullName,
  roleId: user.roleId,
  clientIds: user.clientIds,
  reportTypeIds: user.reportTypeIds,
};

export const examples = {
  AccessAnnouncement: { action: 'view', fileId: file.id },
  ActivityRow: entry,
  ArchiveRequest: { ids: [42, 43] },
  Challenge: { token: CHALLENGE, methods: ['totp', 'recovery'], enrols: false, expiresAt: INSTANT },
  ChallengeRequest: { challenge: CHALLENGE },
  ClientInput: client,
  ClientReach: {
    users: [
      {
        id: user.id,
        username: user.username,
        fullName: user.fullName,
        roleName: user.roleName,
        why: 'access-list',
        reportTypes: ['Payroll Journal'],
      },
    ],
  },
  ClientRemoval: { files: 2, users: 1 },
  ClientRow: { id: 1, ...client, phoneNumber: client.phone },
  Enrolled: { recoveryCodes: CODES, session },
  FactorProof: totp,
  Factors: {
    totp: true,
    passkeys: [{ id: 1, name: 'Laptop', createdAt: INSTANT, lastUsedAt: null }],
    recoveryCodesLeft: 10,
  },
  FileDetails: { file, newer: null, older: { id: 41, originalName: 'HarborPine_941_2026-Q3.pdf' } },
  FileRow: file,
  JobRow: {
    id: 5,
    kind: 'verify-blobs',
    title: 'Verify stored files',
    state: 'running',
    actingUserId: null,
    actingUserName: null,
    attempts: 1,
    attemptsMax: 3,
    progress: 40,
    error: null,
    cancelRequested: false,
    createdAt: INSTANT,
    runAt: INSTANT,
    startedAt: INSTANT,
    endedAt: null,
  },
  LoginAnswer: session,
  LoginRequest: { username: user.username, password: PASSWORD },
  LoginResponse: session,
  Overview: {
    totals: { clients: 1, users: 3, files: 1, activity: 1 },
    recentActivity: [entry],
    recentUploads: [file],
  },
  PasswordChange: { currentPassword: PASSWORD, newPassword: 'five other plain words here' },
  PermissionChange: { roleId: 4, capabilities: ['activity.read'], reach: 'all' },
  ReauthRequest: { factor: totp },
  RecoveryCodes: { recoveryCodes: CODES },
  RefileInput: { clientId: 2, reportTypeId: 3 },
  ReportTypeInput: { name: 'Payroll Journal' },
  ReportTypeRow: { id: 3, name: 'Payroll Journal' },
  RoleInput: { name: 'Auditor' },
  RolePermissions: {
    id: 4,
    name: 'Auditor',
    systemKey: null,
    reach: 'all',
    capabilities: ['activity.read'],
    users: 0,
  },
  RoleRow: { id: 2, name: 'CPA', systemKey: 'cpa' },
  SecondFactorRequest: { challenge: CHALLENGE, factor: totp },
  SecurityEventRow: {
    id: 12,
    at: INSTANT,
    times: 1,
    lastAt: INSTANT,
    kind: 'signed_in',
    actorName: null,
    address: '192.0.2.10',
    device: 'Mozilla/5.0',
    detail: null,
  },
  SessionRow: {
    id: 3,
    createdAt: INSTANT,
    lastSeenAt: INSTANT,
    userAgent: 'Mozilla/5.0',
    address: '192.0.2.10',
    current: true,
  },
  SessionUser: sessionUser,
  TotpConfirmation: { code: '123456' },
  TotpSetup: {
    secret: 'JBSWY3DPEHPK3PXP',
    url: 'otpauth://totp/Coffer:rosa.okafor?secret=JBSWY3DPEHPK3PXP&issuer=Coffer',
  },
  UserCreate: { ...userInput, password: PASSWORD },
  UserReach: {
    reach: 'lists',
    clients: [{ id: 1, name: client.name, why: 'access-list' }],
    reportTypes: [{ id: 3, name: 'Payroll Journal', why: 'access-list' }],
  },
  UserRow: user,
  UserUpdate: { ...userInput, password: null },
  ViewTicket: { ticket: CHALLENGE, url: `/api/files/42?view=true&token=${CHALLENGE}`, expiresAt: INSTANT },
} satisfies { readonly [Name in ShapeName]?: Shape<Name> };
