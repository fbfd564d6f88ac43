// Background Jobs: the table in every state, a job that runs and ends while the page is open, running one again, cancelling one, and who may.
import { expect, type Page } from '@playwright/test';
import type { JobRow } from '../contract/jobs.ts';
import { seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { answerList, failCalls, failThenRetry, holdCalls } from './stub.ts';
import { readError, readToast } from './toast.ts';

const LIST = /\/api\/jobs\?/;

const table = (page: Page) => page.getByRole('table', { name: 'Background Jobs' });
const row = (page: Page, title: string) => table(page).getByRole('row').filter({ hasText: title });

function job(id: number, more: Partial<JobRow>): JobRow {
  return {
    id,
    kind: 'test',
    title: `Job ${id}`,
    state: 'waiting',
    actingUserId: null,
    actingUserName: null,
    attempts: 0,
    attemptsMax: 3,
    progress: null,
    error: null,
    summary: null,
    cancelRequested: false,
    createdAt: '2026-01-05T15:00:00.000Z',
    runAt: '2126-01-05T15:00:00.000Z',
    startedAt: null,
    endedAt: null,
    ...more,
  };
}

test('the table: its columns, grey rows while it loads, no jobs, and a failure', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn(ADMIN, { at: null, failures: [500] });
  await answerList(page, LIST, []);
  const answer = await holdCalls(page, LIST);
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Background Jobs' }).click();
  await expect(page.getByRole('main').getByRole('heading', { name: 'Background Jobs' })).toBeVisible();
  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Job',
    'State',
    'On Behalf Of',
    'Attempts',
    'Due',
    'Ended',
    'Actions',
  ]);
  await expect(table(page).getByRole('row', { includeHidden: true })).toHaveCount(5);
  answer();
  await expect(page.getByText('No background jobs found', { exact: true })).toBeVisible();
  await expect(page.getByText('What the server does in the background appears here.')).toBeVisible();

  await failThenRetry(page, LIST);
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
});

test('a running job shows its progress and then its end', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn(ADMIN, { at: null });
  const person = { actingUserId: 7, actingUserName: 'Rosa Vance' };
  await answerList(page, LIST, [
    job(2, { state: 'running', attempts: 1, progress: 40, startedAt: '2026-01-05T15:00:01.000Z', ...person }),
    job(1, { state: 'failed', attempts: 3, error: 'The disk is away', endedAt: '2026-01-05T15:00:01.000Z' }),
  ]);
  await page.goto('/jobs');
  await expect(row(page, 'Job 2')).toContainText('Running');
  await expect(row(page, 'Job 2')).toContainText('Rosa Vance');
  await expect(page.getByRole('progressbar', { name: 'Progress of Job 2' })).toHaveAttribute('aria-valuenow', '40');
  await expect(row(page, 'Job 1')).toContainText('The disk is away');
  await expect(row(page, 'Job 1')).toContainText('3 of 3');
  await expect(row(page, 'Job 1')).toContainText('System');

  await page.unrouteAll();
  await answerList(page, LIST, [
    job(2, {
      state: 'done',
      attempts: 1,
      summary: 'Filled in 2 files.',
      endedAt: '2026-01-05T15:00:09.000Z',
      ...person,
    }),
  ]);
  // Without a reload: the list refreshes by itself.
  await expect(row(page, 'Job 2')).toContainText('Done');
  await expect(row(page, 'Job 2')).toContainText('Filled in 2 files.');
  await expect(page.getByRole('progressbar', { name: 'Progress of Job 2' })).toHaveCount(0);
});

test('on a phone the reason is below the name, and a job with nothing to do has no line for it', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn(ADMIN, { at: null, viewport: { width: 390, height: 844 } });
  await answerList(page, LIST, [job(1, { state: 'running', cancelRequested: true, error: 'The disk is away' })]);
  await page.goto('/jobs');
  const name = await page.getByText('Job 1', { exact: true }).boundingBox();
  const reason = await page.getByText('The disk is away', { exact: true }).boundingBox();
  expect(reason?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0));
  await expect(row(page, 'Job 1').locator('td[data-label="Actions"]')).toBeHidden();
});

test('a job is cancelled and run again, and refusals say why', async ({ signIn }) => {
  const page = await signIn(ADMIN, { at: '/jobs?state=waiting', failures: [409] });
  const title = 'Remove stored bytes that no file uses';
  await expect(row(page, title)).toHaveCount(1);
  await expect(page.getByRole('button', { name: `Cancel ${title}` })).toHaveText('Cancel');
  await page.getByRole('button', { name: `Cancel ${title}` }).click();
  await readToast(page, 'status', ['Job canceled']);
  await page.getByLabel('State').selectOption('Canceled');
  await expect(page).toHaveURL('/jobs?state=cancelled');
  await expect(row(page, title)).toHaveCount(1);
  await page.getByRole('button', { name: `Run ${title} again` }).click();
  await readToast(page, 'status', ['The job will run again']);
  await expect(row(page, title)).toHaveCount(0);
  await expect(page.getByText('No background jobs are in this state.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await expect(page).toHaveURL('/jobs');

  const restore = await failCalls(page, /\/cancel$/, { status: 409, message: 'This job has ended already.' });
  await page.getByLabel('State').selectOption('Waiting');
  await page
    .getByRole('button', { name: /^Cancel / })
    .first()
    .click();
  await readError(page, 'Failed to cancel the job: This job has ended already.');
  await restore();
});

test('nobody else finds the page', { tag: '@full' }, async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(firm.cpa);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Background Jobs' })).toHaveCount(0);
  await page.goto('/jobs');
  await expect(page.getByRole('main').getByRole('status')).toContainText('You do not have permission to see this.');
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await expect(table(page)).toHaveCount(0);
});
