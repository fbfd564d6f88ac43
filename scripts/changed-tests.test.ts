// Which tests a change asks for.
import { expect, test } from 'vitest';

const { testsFor } = (await import(new URL('./changed-tests.mjs', import.meta.url).href)) as {
  testsFor(changed: readonly string[], all: readonly string[]): string[];
};

const ALL = [
  'contract/fields.test.ts',
  'e2e/clients.e2e.ts',
  'e2e/main-job.e2e.ts',
  'e2e/users.e2e.ts',
  'scripts/lock.test.ts',
  'server/firm/clients/clients.test.ts',
  'server/people/users/users.test.ts',
  'server/api/contract-answers.test.ts',
  'server/api/contract-guard.test.ts',
  'server/testing/matrix/files.test.ts',
  'server/testing/matrix/table.test.ts',
  'server/testing/policy-and-sql.test.ts',
  'web/lib/format.test.ts',
];
const RIGHTS = ALL.filter((file) => /contract-|matrix|policy-and/.test(file));

test.each([
  ['nothing', [], []],
  ['a page of the documentation', ['docs/architecture.md'], []],
  ['a repository', ['server/firm/clients/clients.repo.ts'], ['server/firm/clients/clients.test.ts', ...RIGHTS]],
  ['the contract', ['contract/fields.ts'], ['contract/fields.test.ts', ...RIGHTS]],
  ['a screen', ['web/screens/clients/clients.tsx'], ['e2e/clients.e2e.ts', 'e2e/main-job.e2e.ts']],
  ['what screens share', ['web/lib/format.ts'], ['e2e/main-job.e2e.ts', 'web/lib/format.test.ts']],
  ['a browser test', ['e2e/users.e2e.ts'], ['e2e/users.e2e.ts']],
  ['what browser tests share', ['e2e/firm.ts'], ['e2e/main-job.e2e.ts']],
  ['a test that changed alone', ['scripts/lock.test.ts'], ['scripts/lock.test.ts']],
])('%s asks for its own', (_what, changed, tests) => {
  expect(testsFor(changed, ALL)).toEqual(tests);
});
