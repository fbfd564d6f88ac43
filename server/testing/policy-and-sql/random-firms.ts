// Random firms as plain data: roles, people with their lists, files and entries of the log.
import fc from 'fast-check';
import { ACTIVITY_ACTIONS, type ActivityAction } from '#contract/activity-words.ts';
import { foldKey } from '#contract/fields.ts';
import { DOCUMENT_TYPES, type DocumentType, type FileType } from '#contract/file-kinds.ts';
import { CAPABILITIES, type Capability, type Reach, type SystemRole } from '#contract/policy/actor.ts';
import { HOUR_MS } from '../../platform/clock.ts';

export const EPOCH = Date.UTC(2026, 0, 10);

/** Names with everything that a search could trip over: wildcards, an escape, capitals beyond ASCII, compositions. */
const NAMES = [
  'alpha_1.pdf',
  'Alpha%2.pdf',
  'beta\\x.pdf',
  'Été 2025.pdf',
  'ÉTÉ 2024.pdf',
  'straße',
  '日本.pdf',
  'Zeta',
];

export interface Role {
  readonly systemKey: SystemRole | null;
  readonly reach: Reach;
  readonly capabilities: readonly Capability[];
}

interface User {
  readonly role: number;
  readonly clientIds: readonly number[];
  readonly reportTypeIds: readonly number[];
}

export interface StoredFile {
  readonly clientId: number;
  readonly fileType: FileType;
  readonly reportTypeId: number | null;
  readonly documentType: DocumentType | null;
  readonly period: string | null;
  readonly uploadedById: number | null;
  readonly name: string;
  readonly sizeBytes: number;
  readonly at: number;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

export interface Entry {
  readonly action: ActivityAction;
  readonly actor: Named;
  readonly client: Named | null;
  readonly file: Named | null;
  readonly details: string;
  readonly at: number;
}

/** Rows in the order of their ids: the first has id 1. */
export interface Firm {
  readonly clients: readonly string[];
  readonly reportTypes: readonly string[];
  readonly roles: readonly Role[];
  readonly users: readonly User[];
  readonly files: readonly StoredFile[];
  readonly activity: readonly Entry[];
}

export type Identified<T> = T & { readonly id: number };
export const withIds = <T extends object>(rows: readonly T[]): Identified<T>[] =>
  rows.map((row, index) => ({ ...row, id: index + 1 }));

/** One inside the other, around the days of the uploads. */
export const PERIODS = ['2026', '2026-Q1', '2026-03', '2026-01-12', '2025', '2025-Q4', '2026-03-31'] as const;

const name = fc.constantFrom(...NAMES);
export const moment = fc.integer({ min: 0, max: 16 }).map((step) => EPOCH + step * 6 * HOUR_MS);
const idUpTo = (count: number) => fc.integer({ min: 1, max: Math.max(count, 1) });
const firstIds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
/** An access list: often everything there is, for then a list is best walked by date. */
const someIds = (count: number) => fc.oneof(fc.constant(firstIds(count)), fc.subarray(firstIds(count)));
/** Somebody or something that was deleted, or never there. */
const GONE = 9_999;

const capabilities = fc.subarray([...CAPABILITIES]);
const customRole = fc.record<Role>({
  systemKey: fc.constant(null),
  reach: fc.constantFrom('all', 'lists', 'lists'),
  capabilities,
});

const roles = fc
  .tuple(capabilities, capabilities, fc.array(customRole, { maxLength: 3 }))
  .map(([cpa, client, custom]): Role[] => [
    { systemKey: 'admin', reach: 'all', capabilities: CAPABILITIES },
    { systemKey: 'cpa', reach: 'lists', capabilities: cpa },
    { systemKey: 'client', reach: 'lists', capabilities: client },
    ...custom,
  ]);

const fileOf = (counts: { clients: number; reportTypes: number; users: number }): fc.Arbitrary<StoredFile> =>
  fc
    .record({
      clientId: idUpTo(counts.clients),
      kind: fc.constantFrom('typed', 'typed', 'untyped', 'document'),
      type: idUpTo(counts.reportTypes),
      documentType: fc.option(fc.constantFrom(...DOCUMENT_TYPES)),
      period: fc.option(fc.constantFrom(...PERIODS)),
      uploadedById: fc.option(idUpTo(counts.users)),
      name,
      sizeBytes: fc.integer({ min: 0, max: 3 }),
      at: moment,
    })
    .map(({ kind, type, documentType, ...file }) => ({
      ...file,
      fileType: kind === 'document' ? 'company_document' : 'report',
      reportTypeId: kind === 'typed' && counts.reportTypes > 0 ? type : null,
      documentType: kind === 'document' ? documentType : null,
    }));

const namedUpTo = (count: number) =>
  fc.record({
    id: fc.oneof({ weight: 5, arbitrary: idUpTo(count) }, { weight: 1, arbitrary: fc.constant(GONE) }),
    name,
  });

const entryOf = (counts: { clients: number; users: number; files: number }): fc.Arbitrary<Entry> =>
  fc.record({
    action: fc.constantFrom(...ACTIVITY_ACTIONS),
    actor: namedUpTo(counts.users),
    client: fc.option(namedUpTo(counts.clients)),
    file: fc.option(namedUpTo(counts.files)),
    details: name,
    at: moment,
  });

export const firms: fc.Arbitrary<Firm> = fc
  .record({
    clients: fc.array(name, { minLength: 1, maxLength: 6 }),
    reportTypes: fc.uniqueArray(name, { maxLength: 4, selector: foldKey }),
    roles,
  })
  .chain(({ clients, reportTypes, ...firm }) => {
    const user = fc.record<User>({
      // Few Admins: they reach all, and are all alike.
      role: fc.oneof(
        { weight: 1, arbitrary: fc.constant(1) },
        { weight: 5, arbitrary: fc.integer({ min: 2, max: firm.roles.length }) },
      ),
      clientIds: someIds(clients.length),
      reportTypeIds: someIds(reportTypes.length),
    });
    return fc.record({
      clients: fc.constant(clients),
      reportTypes: fc.constant(reportTypes),
      roles: fc.constant(firm.roles),
      users: fc.array(user, { minLength: 1, maxLength: 4 }),
    });
  })
  .chain((firm) => {
    const counts = { clients: firm.clients.length, reportTypes: firm.reportTypes.length, users: firm.users.length };
    return fc.record({
      clients: fc.constant(firm.clients),
      reportTypes: fc.constant(firm.reportTypes),
      roles: fc.constant(firm.roles),
      users: fc.constant(firm.users),
      files: fc.array(fileOf(counts), { maxLength: 40, size: 'max' }),
      activity: fc.array(entryOf({ ...counts, files: 40 }), { maxLength: 30, size: 'max' }),
    });
  });
