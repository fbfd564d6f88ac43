// The command `npm run screenshots`: a picture of every screen, in both colour schemes and two widths, into screenshots/.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { startServer } from './server.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'screenshots');
const PASSWORD = 'coffer-demo-2026';

/** Opens a dialog or another state of a screen before the picture is taken. */
type Prepare = (page: Page) => Promise<unknown>;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly prepare?: Prepare;
}

const press =
  (name: string): Prepare =>
  (page) =>
    page.getByRole('button', { name }).first().click();

const people: readonly { username: string; shots: readonly Shot[] }[] = [
  {
    username: 'admin',
    shots: [
      { name: 'overview', path: '/' },
      {
        name: 'overview-uploads',
        path: '/',
        prepare: (page) => page.getByRole('tab', { name: 'Recent Uploads' }).click(),
      },
      { name: 'files', path: '/file-upload' },
      { name: 'files-add', path: '/file-upload', prepare: press('Upload Files') },
      { name: 'clients', path: '/clients' },
      { name: 'clients-add', path: '/clients', prepare: press('Add Client') },
      { name: 'clients-delete', path: '/clients', prepare: press('Delete') },
      { name: 'users', path: '/users' },
      { name: 'users-add', path: '/users', prepare: press('Add User') },
      { name: 'roles', path: '/roles' },
      { name: 'roles-add', path: '/roles', prepare: press('Add Role') },
      { name: 'report-types', path: '/report-types' },
      { name: 'report-types-add', path: '/report-types', prepare: press('Add Report Type') },
      { name: 'activity', path: '/activity' },
      { name: 'permissions', path: '/permissions' },
      { name: 'account', path: '/account-settings' },
      { name: 'not-found', path: '/nowhere' },
    ],
  },
  {
    username: 'r.okafor',
    shots: [
      { name: 'cpa-dashboard', path: '/' },
      { name: 'cpa-reports', path: '/cpa-dashboard' },
      { name: 'cpa-firm-details', path: '/firm-details' },
      { name: 'cpa-firm-documents', path: '/firm-documents' },
    ],
  },
  {
    username: 'ingrid.castellan',
    shots: [
      { name: 'client-dashboard', path: '/' },
      { name: 'client-reports', path: '/client-reports' },
      { name: 'client-firm-details', path: '/firm-details' },
    ],
  },
];

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [
  { name: 'wide', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const;

async function shoot(browser: Browser, origin: string, only: readonly string[]): Promise<number> {
  let taken = 0;
  for (const colorScheme of SCHEMES) {
    for (const { name: widthName, ...viewport } of WIDTHS) {
      const newPage = async () => (await browser.newContext({ baseURL: origin, viewport, colorScheme })).newPage();
      const keep = async (page: Page, name: string) => {
        await page.screenshot({ path: join(OUTPUT, `${name}-${widthName}-${colorScheme}.png`) });
        taken += 1;
      };
      const login = await newPage();
      await login.goto('/login');
      await login.getByLabel('Username').waitFor();
      if (only.length === 0 || only.includes('login')) await keep(login, 'login');
      await login.context().close();
      for (const { username, shots } of people) {
        const wanted = shots.filter((shot) => only.length === 0 || only.includes(shot.name));
        if (wanted.length === 0) continue;
        const page = await newPage();
        await page.goto('/login');
        await page.getByLabel('Username').fill(username);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: 'Login', exact: true }).click();
        await page.waitForURL(`${origin}/`);
        for (const { name, path, prepare } of wanted) {
          await page.goto(path);
          await page.waitForLoadState('networkidle');
          await prepare?.(page);
          await page.waitForLoadState('networkidle');
          // The end of Mantine's transitions.
          await page.waitForTimeout(250);
          await keep(page, name);
        }
        await page.context().close();
      }
    }
  }
  return taken;
}

const folder = mkdtempSync(join(tmpdir(), 'coffer-screenshots-'));
const demo = join(folder, 'demo');
mkdirSync(OUTPUT, { recursive: true });
execFileSync(process.execPath, [join(ROOT, 'demo/main.ts'), '--small', '--dir', demo], { stdio: 'ignore' });
const server = await startServer({ DATA_DIR: demo });
const browser = await chromium.launch(config.use?.launchOptions ?? {});
try {
  const taken = await shoot(browser, server.origin, process.argv.slice(2));
  process.stdout.write(`${taken} pictures in screenshots/\n`);
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
