// Every screen of the portal, and the walk through them: who sees which, at which address, with all its dialogs and other states.
// Those of each noun are in screens/.
import type { Dialog, Page } from '@playwright/test';
import { accountScreen, clientAccount } from './screens/account.ts';
import { batchesScreens } from './screens/batches.ts';
import { clientsScreens, cpaClient } from './screens/clients.ts';
import { clientCompanyScreens, cpaCompanyScreens } from './screens/company.ts';
import { completenessScreens } from './screens/completeness.ts';
import { filesScreens } from './screens/files.ts';
import { clientDashboard, cpaDashboard, overviewScreen } from './screens/overview.ts';
import { reportTypesScreen } from './screens/report-types.ts';
import { clientReport, clientReports, cpaReportsScreens } from './screens/reports.ts';
import { clientRequestsScreens, requestsScreens } from './screens/requests.ts';
import { rolesScreens } from './screens/roles.ts';
import type { FixtureIds, Screen, Visitor } from './screens/screen.ts';
import { sessionScreen } from './screens/session.ts';
import { signedOutScreens } from './screens/signed-out.ts';
import { upkeepScreens } from './screens/upkeep.ts';
import { usersScreens } from './screens/users.ts';
import { settle, watchCalls } from './settle.ts';

/** The screens of each person, in the order of their sidebar. */
const screens: Readonly<Record<Visitor, readonly Screen[]>> = {
  'signed out': signedOutScreens,
  admin: [
    overviewScreen,
    ...clientsScreens,
    ...usersScreens,
    ...rolesScreens,
    reportTypesScreen,
    ...filesScreens,
    ...batchesScreens,
    ...completenessScreens,
    ...requestsScreens,
    ...upkeepScreens,
    accountScreen,
    { name: 'not-found', path: '/nowhere', heading: '404 Page Not Found', states: [] },
    sessionScreen,
  ],
  cpa: [cpaDashboard, cpaClient, ...cpaReportsScreens, ...cpaCompanyScreens],
  client: [
    clientDashboard,
    clientReports,
    ...clientRequestsScreens,
    clientReport,
    ...clientCompanyScreens,
    { name: 'client-help', path: '/help', heading: 'Help', states: [] },
    clientAccount,
  ],
  outsider: [
    { name: 'outsider-overview', path: '/', heading: /^Welcome, /, states: [] },
    { name: 'outsider-clients', path: '/clients', heading: 'Client Management', states: [] },
    { name: 'outsider-firm-details', path: '/firm-details', heading: 'Company Details', states: [] },
    { name: 'outsider-batches', path: '/batches', heading: 'Batches', states: [] },
    { name: 'outsider-reports', path: '/cpa-dashboard', heading: 'Payroll Reports', states: [] },
  ],
};

/** An address that leads nowhere: on the way over it a screen forgets what was opened on it. */
const BETWEEN = '/between';

/** Goes to a screen and waits until it stands there filled. `within`: as a link of the portal would, without loading the page. */
async function visit(page: Page, path: string, heading: string | RegExp, within: boolean): Promise<void> {
  watchCalls(page);
  if (within) {
    const go = (to: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(to)})`);
    await go(BETWEEN);
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
    await go(path);
  } else {
    await page.goto(path);
  }
  await page.getByRole('main').getByRole('heading', { name: heading, exact: true }).first().waitFor();
  await settle(page);
}

const STANDS_WITHIN_MS = 20_000;

export interface WalkOptions {
  /** The screens to walk through, by their names; all of them unless said otherwise. */
  readonly through?: readonly string[];
  /** False passes over a screen or state. */
  readonly wanted?: (name: string) => boolean;
  /** The width at which states are opened that exist at one kind only; 'wide' unless set. */
  readonly width?: 'wide' | 'phone';
  /** True goes from one screen to the next within the page, which costs a third of loading it. */
  readonly within?: boolean;
}

/** The failures that the states of the screens provoke, for `signIn`. */
export const PROVOKED = { failures: [401, 403, 412, 500], offline: true } as const;

/** A dialog with unsaved work is left on the way to the next. */
const leave = (question: Dialog) => void question.accept();

/** Walks a person through their screens and every state of them, and calls `look` at each, with its name. */
export async function walk(
  page: Page,
  visitor: Visitor,
  fixtureIds: FixtureIds,
  look: (name: string) => Promise<unknown>,
  { through = screenNames(visitor), wanted = () => true, width = 'wide', within = false }: WalkOptions = {},
): Promise<void> {
  let loaded = false;
  const go = async (path: string, heading: string | RegExp, alone = false) => {
    await visit(page, path, heading, within && loaded && !alone);
    loaded = !alone;
  };
  page.setDefaultTimeout(STANDS_WITHIN_MS);
  page.off('dialog', leave).on('dialog', leave);
  for (const screen of screens[visitor].filter(({ name }) => through.includes(name))) {
    const path = typeof screen.path === 'string' ? screen.path : screen.path(fixtureIds);
    if (path === undefined) continue;
    if (wanted(screen.name)) {
      await named(screen.name, async () => {
        await go(path, screen.heading);
        await look(screen.name);
      });
    }
    for (const state of screen.states) {
      const name = `${screen.name}-${state.name}`;
      if ((state.only ?? width) !== width || !wanted(name)) continue;
      await named(name, async () => {
        await go(path, screen.heading, state.alone);
        await state.open(page);
        await settle(page);
        await look(name);
        await state.close?.(page);
      });
    }
  }
}

/** An error names the screen it was thrown on. */
async function named(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** The screens of a person, in the order of their sidebar. */
export const screenNames = (visitor: Visitor): readonly string[] => screens[visitor].map(({ name }) => name);

/** Whether a name is that of a screen itself and not of one of its states. */
export const isScreen = (name: string) =>
  Object.values(screens).some((list) => list.some((screen) => screen.name === name));
