// A firm with SAFEGUARDS=on as its browser tests meet it: people with and without a second factor, and what asks for it.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { ageSecondFactors } from '../server/testing/age-second-factors.ts';
import { apiWith } from './api.ts';
import { codeOf, type Enrolled, enrolThroughApi } from './second-factor.ts';
import { ADMIN, startServer } from './server.ts';
import { test as base } from './visit.ts';

interface Person {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

interface Firm {
  readonly admin: Enrolled;
  /** Makes a CPA user who has yet to sign in. */
  readonly hire: (fullName: string) => Promise<Person>;
  /** Invites somebody new; the address of the link. */
  readonly invite: (fullName: string) => Promise<string>;
  /** As if time had passed: a proof given before is old, and a code taken before is forgotten. */
  readonly letTimePass: () => void;
}

export const PASSWORD = 'quarterly orchard';

export const test = base.extend<object, { folder: string; firm: Firm }>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to see what a fixture depends on
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'coffer-safeguards-'));
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ folder }, use) => {
      const server = await startServer({ SAFEGUARDS: 'on', DATA_DIR: folder });
      // Passkeys belong to a name: an address of numbers has none.
      await use({ ...server, origin: server.origin.replace('127.0.0.1', 'localhost') });
      await server.stop();
    },
    { scope: 'worker' },
  ],
  firm: [
    async ({ server, folder }, use) => {
      const admin = await enrolThroughApi(server.origin, ADMIN);
      const api = apiWith(server.origin, admin.token);
      const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
      const roleId = roles.find(({ name }) => name === 'CPA')?.id;
      const letTimePass = () => ageSecondFactors(join(folder, 'coffer.db'));
      /** Creating a person takes a step-up, and the tests take longer than one lasts. */
      const confirmIdentity = async () => {
        letTimePass();
        const { status } = await fetch(`${server.origin}/api/auth/reauth`, {
          method: 'POST',
          headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ factor: { method: 'totp', code: codeOf(admin.key) } }),
        });
        expect(status).toBe(204);
      };
      await use({
        admin,
        hire: async (fullName) => {
          const username = fullName.toLowerCase().replaceAll(' ', '.');
          const lists = { clientIds: null, reportTypeIds: null };
          const user = { username, password: PASSWORD, fullName, roleId, ...lists };
          await confirmIdentity();
          const { id } = await api.post<{ id: number }>('/api/users', user);
          return { id, username, password: PASSWORD };
        },
        invite: async (fullName) => {
          const invitation = randomBytes(32).toString('base64url');
          const username = fullName.toLowerCase().replaceAll(' ', '.');
          await confirmIdentity();
          await api.post('/api/users', { username, password: null, invitation, fullName, roleId });
          return `/invitation#${invitation}`;
        },
        letTimePass,
      });
    },
    { scope: 'worker' },
  ],
});

export const appCode = (page: Page | Locator) => page.getByLabel('Code from your authenticator app');
export const heading = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { name, exact: true });
export const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
export const signOut = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();

/** Opens `path` in a session that was begun elsewhere. */
export async function enter(page: Page, { token }: Enrolled, path: string): Promise<void> {
  await page.goto('/login');
  await page.evaluate(async (bearer) => {
    const me = await fetch('/api/auth/me', { headers: { authorization: `Bearer ${bearer}` } });
    localStorage.setItem('user', await me.text());
    localStorage.setItem('token', bearer);
  }, token);
  await page.goto(path);
}

/** Reads the ten codes that are shown, confirms that they are kept, and continues. */
export async function keepRecoveryCodes(page: Page, goOn: string): Promise<string[]> {
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const shown = await codes.allTextContents();
  await expect(page.getByRole('button', { name: goOn })).toBeDisabled();
  await page.getByLabel('I have kept these codes').check();
  await page.getByRole('button', { name: goOn }).click();
  return shown;
}
