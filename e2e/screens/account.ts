// The screen of one's own account: what was done with it, what it ordered, and with SAFEGUARDS=on its second factor, by stubbed answers.
import type { Page } from '@playwright/test';
import { refuse } from '#contract/errors.ts';
import type { OwnJobRow } from '#contract/jobs.ts';
import { settle } from '../settle.ts';
import type { Screen, ScreenState } from './screen.ts';
import { answered, press } from './states.ts';

const factors = {
  totp: true,
  passkeys: [
    { id: 1, name: 'Office laptop', createdAt: '2026-01-05T09:00:00Z', lastUsedAt: '2026-11-02T16:30:00Z' },
    { id: 2, name: 'Blue key', createdAt: '2026-10-05T09:00:00Z', lastUsedAt: null },
  ],
  recoveryCodesLeft: 8,
};

/** The account settings of a server with SAFEGUARDS=on. */
const guarded = (
  name: string,
  open: (page: Page) => Promise<unknown>,
  more: Readonly<Record<string, { status?: number; json: unknown }>> = {},
): ScreenState => {
  const state = answered(
    { factors: { json: factors }, ...more },
    {
      name,
      open: async (page) => {
        await page.route('**/account-settings', async (route) => {
          const response = await route.fetch();
          const body = (await response.text()).replace(
            'name="safeguards" content="off"',
            'name="safeguards" content="on"',
          );
          await route.fulfill({ response, body });
        });
        await page.reload();
        const section = page.getByRole('region', { name: 'Second factor', exact: true });
        await section.getByText('Blue key').waitFor();
        await section.scrollIntoViewIfNeeded();
        await open(page);
      },
    },
  );
  return {
    ...state,
    close: async (page) => {
      await page.unroute('**/account-settings');
      await state.close?.(page);
    },
  };
};

const event = (id: number, kind: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  kind,
  at: '2026-11-02T15:02:00Z',
  times: 1,
  lastAt: '2026-11-02T15:02:00Z',
  actorName: null,
  address: '203.0.113.7',
  device: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
  detail: null,
  ...more,
});

const often = (times: number) => ({ times, lastAt: '2026-11-02T15:58:00Z' });

/** One tab of what was done with the account. */
const accountTab = (name: string, label: string, rows: readonly object[], total = rows.length): ScreenState =>
  answered(
    { 'events*': { json: rows, headers: { 'x-total-count': String(total) } } },
    {
      name,
      open: async (page) => {
        await page.getByRole('tab', { name: label, exact: true }).click();
        const section = page.getByRole('region', { name: 'Recent activity on this account' });
        await (rows.length > 0 ? section.getByRole('listitem').first() : section.getByText('Nothing ')).waitFor();
        await section.scrollIntoViewIfNeeded();
      },
    },
  );

const eventStates: readonly ScreenState[] = [
  accountTab('refused', 'Refused', [
    event(9, 'denied', { ...often(1037), detail: 'open file 1999' }),
    event(8, 'denied', { ...often(37), detail: 'read client 900036', address: '2001:db8:85a3:8d3:1319:8a2e:370:7348' }),
    event(7, 'sign_in_failed', often(12)),
    event(6, 'second_factor_failed', { detail: 'authenticator app' }),
    event(5, 'denied', {
      detail: 'download files 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20',
    }),
  ]),
  accountTab(
    'changes',
    'Changes',
    [
      event(19, 'access_changed', {
        actorName: 'Administrator',
        address: null,
        device: null,
        detail: 'role CPA, clients',
      }),
      ...Array.from({ length: 9 }, (_, nth) => event(nth + 1, 'password_changed')),
    ],
    23,
  ),
  accountTab('no-refusals', 'Refused', []),
];

/** Runs in the page: the session was last used so long ago that it is about to end. */
const NEARLY_IDLE = `
  const { session } = JSON.parse(localStorage.getItem('user'));
  localStorage.setItem('sessionUsedAt', Date.now() - session.idleMaxMs + 150_000);
  document.dispatchEvent(new Event('visibilitychange'));
`;

const OWN_JOBS = '**/api/session/jobs';

const ownJob: OwnJobRow = {
  id: 4,
  title: 'Prepare a ZIP',
  state: 'done',
  progress: null,
  fault: null,
  orderedAt: '2026-11-20T15:04:00.000Z',
  endedAt: '2026-11-20T15:06:00.000Z',
  made: { what: 'zip', id: 3, name: 'Larkspur Bakery-2025.zip' },
};

/** One of each state of what was ordered in the background. */
const backgroundWork: ScreenState = {
  name: 'background-work',
  alone: true,
  open: async (page) => {
    const batch = { what: 'batch', id: 2, name: 'All clients of the second half of July, once more.pdf' } as const;
    const rows: readonly OwnJobRow[] = [
      { ...ownJob, id: 7, title: 'Read a batch', state: 'waiting', endedAt: null, made: batch },
      { ...ownJob, id: 6, title: 'Release a batch', state: 'running', progress: 40, endedAt: null, made: batch },
      { ...ownJob, id: 5, state: 'failed', fault: refuse('archive_outdated').message, made: null },
      ownJob,
    ];
    await page.route(OWN_JOBS, (route) => route.fulfill({ json: rows, headers: { 'x-total-count': '4' } }));
    await page.reload();
    const section = page.getByRole('region', { name: 'Background work' });
    await section.getByRole('listitem').last().waitFor();
    await section.scrollIntoViewIfNeeded();
  },
  close: (page) => page.unroute(OWN_JOBS),
};

const accountStates: readonly ScreenState[] = [
  ...eventStates,
  backgroundWork,
  guarded('second-factor', async () => undefined),
  guarded('add-passkey', async (page) => {
    await press(page, 'Add a passkey');
    await page.getByRole('dialog').waitFor();
  }),
  guarded(
    'confirm-identity',
    async (page) => {
      for (const label of ['Current password', 'New password', 'Repeat new password']) {
        await page.getByLabel(label, { exact: true }).fill('a long password');
      }
      await press(page, 'Change Password');
      await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('textbox').waitFor();
    },
    { password: { status: 403, json: { code: 'reauth_required', message: 'Please confirm.' } } },
  ),
  guarded('idle', async (page) => {
    await settle(page);
    await page.evaluate(NEARLY_IDLE);
    await page.getByRole('dialog', { name: 'Are you still there?' }).waitFor();
  }),
];

export const accountScreen: Screen = {
  name: 'account',
  path: '/account-settings',
  heading: 'Account Settings Page',
  states: accountStates,
};

export const clientAccount: Screen = {
  name: 'client-account',
  path: '/account-settings',
  heading: 'Account Settings Page',
  states: [],
};
