// The page System: what is wrong comes first with what to do, a failed job is run again from there, and nobody else has it.
import { expect } from '@playwright/test';
import type { JobRow } from '#contract/jobs.ts';
import type { SystemFacts } from '#contract/system.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { failCalls } from './stub.ts';
import { readToast } from './toast.ts';

const at = '2026-01-31T15:00:00.000Z';
const failedJob: JobRow = {
  id: 7,
  kind: 'files.texts',
  title: 'Read the text of files',
  state: 'failed',
  actingUserId: null,
  actingUserName: null,
  attempts: 3,
  attemptsMax: 3,
  progress: null,
  error: 'The disk did not answer.',
  summary: null,
  cancelRequested: false,
  createdAt: at,
  runAt: at,
  startedAt: at,
  endedAt: at,
};

test('an Admin reads what is wrong and what to do, and has a failed job run again', async ({ signIn, server }) => {
  await seedFirm(server.origin, { reports: 1 });
  const page = await signIn(ADMIN, { at: '/system', failures: [500] });
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await expect(wrong).toContainText('There is no backup of this firm.');
  await expect(wrong).toContainText('Set BACKUP_URL for one a day');
  await expect(page.getByText(/^SQLite, [\d.]+ (KB|MB|GB), [\d.,]+ (MB|GB) free/)).toBeVisible();
  await expect(page.getByText('Files are not read again to find damage. Set SCRUB_DAYS')).toBeVisible();

  let told: SystemFacts | null = null;
  await page.route('**/api/system', async (route) => {
    const answer = await route.fetch();
    const facts = (await answer.json()) as SystemFacts;
    await route.fulfill({ response: answer, json: told ?? { ...facts, jobs: { ...facts.jobs, failed: 1 } } });
    told = { ...facts, jobs: { ...facts.jobs, failed: 0 }, warnings: [] };
  });
  await page.route('**/api/jobs?*', (route) => route.fulfill({ json: [failedJob], headers: { 'x-total-count': '1' } }));
  await page.route('**/api/jobs/7/retry', (route) => route.fulfill({ json: { ...failedJob, state: 'waiting' } }));
  const again = page.getByRole('button', { name: 'Look Again' });
  await again.click();
  await expect(page.getByRole('list', { name: 'Failed jobs' })).toContainText('The disk did not answer.');
  await page.getByRole('button', { name: 'Run Read the text of files again' }).click();
  await readToast(page, 'status', ['The job will run again']);
  // What failed is counted anew by itself.
  await expect(page.getByText('Nothing is wrong.')).toBeVisible();
  await expect(wrong).toHaveCount(0);

  const pass = await failCalls(page, /\/api\/system$/, { status: 500, message: 'The disk is away.' });
  await again.click();
  const stale = page.getByRole('main').getByRole('alert');
  await expect(stale).toContainText('This could not be read again: The disk is away. What stands below was so at ');
  await expect(page.getByText('Nothing is wrong.')).toHaveCount(0);
  await pass();
  await again.click();
  await expect(page.getByText('Nothing is wrong.')).toBeVisible();
  await expect(stale).toHaveCount(0);

  // Of damaged files the first are named, wherever they are, and all others counted.
  await page.unroute('**/api/system');
  await page.route('**/api/system', async (route) => {
    const answer = await route.fetch();
    const facts = (await answer.json()) as SystemFacts;
    const damagedFiles: SystemFacts['store']['damagedFiles'] = [
      { kind: 'file', id: 1, name: 'Journal.pdf', of: 'Harbor & Pine Bakery LLC' },
      { kind: 'trash', id: 2, name: 'Summary.pdf', of: 'Harbor & Pine Bakery LLC' },
    ];
    await route.fulfill({
      response: answer,
      json: { ...facts, store: { ...facts.store, damaged: 1_202, damagedFiles } },
    });
  });
  await again.click();
  const damaged = page.getByRole('list', { name: 'Damaged files' });
  await expect(damaged.getByRole('link')).toHaveText(['Journal.pdf']);
  await expect(damaged).toContainText('Harbor & Pine Bakery LLC, in the trash');
  await expect(damaged).toContainText('and 1,200 that belong to nothing that is kept');

  await test.step('as many failed jobs are listed as are counted', async () => {
    let jobs = [failedJob];
    let counted = 1;
    await page.unroute('**/api/jobs?*');
    await page.route('**/api/jobs?*', (route) =>
      route.fulfill({ json: jobs, headers: { 'x-total-count': String(jobs.length) } }),
    );
    await page.unroute('**/api/system');
    await page.route('**/api/system', async (route) => {
      const answer = await route.fetch();
      const facts = (await answer.json()) as SystemFacts;
      await route.fulfill({ response: answer, json: { ...facts, jobs: { ...facts.jobs, failed: counted } } });
    });
    await again.click();
    const listed = page.getByRole('list', { name: 'Failed jobs' }).getByRole('listitem');
    await expect(listed).toHaveCount(1);
    jobs = [{ ...failedJob, id: 8, title: 'Take files out of the trash' }, failedJob];
    counted = 2;
    await again.click();
    await expect(page.getByText('2 failed within three days')).toBeVisible();
    await expect(listed).toHaveCount(2);
    // One that failed before those days stands on top of the jobs where an older one was run again since.
    const before = { ...failedJob, id: 9, title: 'Export the log', endedAt: '2026-01-20T15:00:00.000Z' };
    jobs = [before, failedJob];
    counted = 1;
    await again.click();
    await expect(page.getByText('1 failed within three days')).toBeVisible();
    await expect(listed).toHaveText([/^Read the text of files/]);
  });
});

test('a CPA is told that the page is not theirs', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const page = await signIn(firm.cpa, { at: '/system' });
  await expect(page.getByRole('heading', { level: 1, name: 'System' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Look Again' })).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'System' })).toHaveCount(0);
});

test('where mail is not set up, the pages that would need it say so', { tag: '@full' }, async ({ signIn, server }) => {
  await seedFirm(server.origin, { reports: 1 });
  const page = await signIn(ADMIN, { at: '/mail' });
  await expect(page.getByRole('heading', { name: 'Mail is not set up' })).toBeVisible();
  for (const variable of ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_ORIGIN']) {
    await expect(page.getByRole('main').getByText(variable, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole('button', { name: 'Send Test Mail' })).toHaveCount(0);
  await page.goto('/completeness/unopened');
  await expect(page.getByText('Nobody can be reminded: the portal sends no mail.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remind All' })).toHaveCount(0);
  await page.goto('/account-settings');
  await expect(
    page.getByText('The portal sends no mail: your firm has not set it up.', { exact: false }),
  ).toBeVisible();
});
