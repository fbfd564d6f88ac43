// The screens of whoever has not signed in. What follows a right password exists with SAFEGUARDS=on only, by stubbed answers.
import type { Page } from '@playwright/test';
import { refuse } from '#contract/errors.ts';
import type { Screen, ScreenState } from './screen.ts';
import { answered, press } from './states.ts';

const RECOVERY_CODES = Array.from({ length: 10 }, (_, nth) => `${nth}BCD-EFGH-JKMN-PQR${nth}`);

const challenge = (methods: readonly string[]) => ({
  json: { challenge: { token: 'challenge', methods, enrols: methods.length === 0, expiresAt: '2030-01-01T00:00:00Z' } },
});

/** The login page after a right password. */
const secondStep = (
  name: string,
  methods: readonly string[],
  open: (page: Page) => Promise<unknown>,
  more: Readonly<Record<string, { status?: number; json: unknown }>> = {},
) =>
  answered(
    { login: challenge(methods), ...more },
    {
      name,
      open: async (page) => {
        await page.getByLabel('Username').fill('somebody');
        await page.getByLabel('Password', { exact: true }).fill('something');
        await press(page, 'Login');
        await open(page);
      },
    },
  );

const { code, message } = refuse('locked_out', { minutes: 12 });
const lockedOut = answered(
  { login: { status: 429, json: { code, message } } },
  {
    name: 'locked-out',
    open: async (page) => {
      await page.getByLabel('Username').fill('somebody');
      await page.getByLabel('Password', { exact: true }).fill('something');
      await press(page, 'Login');
      await page.getByRole('main').getByText('Too many attempts').waitFor();
    },
  },
);

const appKey = {
  'factors/totp': {
    json: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', url: 'otpauth://totp/Coffer:somebody?secret=JBSWY3DPEHPK3PXP' },
  },
};

const showKey = async (page: Page) => {
  await press(page, 'Authenticator app');
  await page.getByRole('img', { name: /^QR code/ }).waitFor();
};

const signInStates: readonly ScreenState[] = [
  secondStep('second-factor', ['totp', 'passkey', 'recovery'], (page) => page.getByLabel(/^Code from/).waitFor()),
  secondStep(
    'second-factor-wrong',
    ['totp', 'recovery'],
    async (page) => {
      await page.getByLabel(/^Code from/).fill('123456');
      await page.getByRole('alert').waitFor();
    },
    { 'second-factor': { status: 401, json: { code: 'wrong_code', message: 'This code or passkey is not right.' } } },
  ),
  secondStep('recovery-code', ['totp', 'recovery'], (page) => press(page, 'Use a recovery code')),
  secondStep('enrolment', [], (page) => page.getByRole('button', { name: 'Authenticator app' }).waitFor()),
  secondStep('enrolment-passkey', [], (page) => press(page, 'Passkey')),
  secondStep('enrolment-app', [], showKey, appKey),
  secondStep(
    'enrolment-over',
    [],
    async (page) => {
      await press(page, 'Authenticator app');
      await page.getByText('This sign-in took too long. Please start again.').waitFor();
    },
    { 'factors/totp': { status: 401, json: { code: 'unauthenticated', message: 'Please sign in.' } } },
  ),
  secondStep(
    'enrolment-codes',
    [],
    async (page) => {
      await showKey(page);
      await page.getByLabel(/^Code that/).fill('123456');
      await page.getByLabel('I have kept these codes').waitFor();
    },
    { ...appKey, 'factors/totp/confirm': { json: { recoveryCodes: RECOVERY_CODES, session: null } } },
  ),
];

export const signedOutScreens: readonly Screen[] = [
  {
    name: 'login',
    path: '/login',
    heading: 'Login',
    states: [
      {
        name: 'faults',
        open: async (page) => {
          await page.getByRole('button', { name: 'Login', exact: true }).click();
          await page.getByText('Username is required').waitFor();
        },
      },
      lockedOut,
      { name: 'forgot', open: (page) => page.getByText('Forgot password').click() },
      ...signInStates,
    ],
  },
  { name: 'end-mails', path: '/end-mails#reports.v1.nobody', heading: /^No more mails/, states: [] },
  { name: 'new-password', path: '/new-password', heading: 'New Password', states: [] },
  {
    name: 'invitation',
    path: '/invitation',
    heading: 'Invitation',
    states: [
      answered(
        {
          join: {
            status: 400,
            json: {
              code: 'invalid',
              message: 'x',
              requestId: 'r',
              fields: { newPassword: 'Password must be at least 6 characters' },
            },
          },
          invitation: {
            json: {
              username: 'rosa.okafor',
              fullName: 'Rosa Okafor',
              until: '2026-11-30T14:15:00Z',
              purpose: 'joining',
            },
          },
        },
        {
          name: 'choose',
          open: async (page) => {
            await page.goto(`/invitation#${'x'.repeat(43)}`);
            await press(page, 'Join');
            await page.getByText('Password must be at least 6 characters').waitFor();
          },
        },
      ),
    ],
  },
  { name: 'not-found-signed-out', path: '/nowhere', heading: '404 Page Not Found', states: [] },
];
