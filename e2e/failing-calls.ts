// Calls that fail in every way they can, one after the other, and what the page must say of each.
import { expect, type Page, type Route } from '@playwright/test';
import { test } from './fixtures.ts';
import { notifications, readError } from './toast.ts';

const SERVER_WORDS = 'The ledger of May is closed.';
export const UNREACHABLE = 'The server cannot be reached. Please check your connection and try again.';

export interface Reason {
  /** How the call fails. */
  readonly way: string;
  readonly answer: (route: Route) => Promise<void>;
  /** What stands for {reason}. */
  readonly reason: string;
  /** The status of the answer; 0 where there is none. */
  readonly status: number;
  readonly statusText: string;
  /** True where the server said why. */
  readonly hasServerMessage: boolean;
}

export const reasons = {
  serverMessage: {
    way: 'with a server message',
    answer: (route) =>
      route.fulfill({ status: 500, json: { message: SERVER_WORDS, code: 'internal', requestId: 'catalogue' } }),
    reason: SERVER_WORDS,
    status: 500,
    statusText: 'Internal Server Error',
    hasServerMessage: true,
  },
  page: {
    way: 'with a page of some gateway',
    answer: (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<html><h1>Bad gateway</h1></html>' }),
    reason: '502: Bad Gateway',
    status: 502,
    statusText: 'Bad Gateway',
    hasServerMessage: false,
  },
  plain: {
    way: 'with a plain body',
    answer: (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'No backend is left\n' }),
    reason: '503: No backend is left',
    status: 503,
    statusText: 'Service Unavailable',
    hasServerMessage: false,
  },
  bare: {
    way: 'with an empty body',
    answer: (route) => route.fulfill({ status: 504, body: '' }),
    reason: '504: Gateway Timeout',
    status: 504,
    statusText: 'Gateway Timeout',
    hasServerMessage: false,
  },
  mute: {
    way: 'with an empty message',
    answer: (route) => route.fulfill({ status: 500, json: { message: '' } }),
    reason: 'Unknown error',
    status: 500,
    statusText: 'Internal Server Error',
    hasServerMessage: false,
  },
  offline: {
    way: 'with the network down',
    answer: (route) => route.abort('connectionfailed'),
    reason: UNREACHABLE,
    status: 0,
    statusText: '',
    hasServerMessage: true,
  },
} as const satisfies Record<string, Reason>;

export const everyWay: readonly Reason[] = Object.values(reasons);
const usualWays: readonly Reason[] = [reasons.serverMessage, reasons.page, reasons.offline];
export const PROVOKED = { failures: [400, 401, 500, 502, 503, 504], offline: true } as const;

interface FailingCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: RegExp;
}

export const calls = {
  login: { method: 'POST', path: /^\/api\/auth\/login$/ },
  createClient: { method: 'POST', path: /^\/api\/clients$/ },
  oneClient: { path: /^\/api\/clients\/\d+$/ },
  createUser: { method: 'POST', path: /^\/api\/users$/ },
  oneUser: { path: /^\/api\/users\/\d+$/ },
  createRole: { method: 'POST', path: /^\/api\/roles$/ },
  oneRole: { path: /^\/api\/roles\/\d+$/ },
  addReportType: { method: 'POST', path: /^\/api\/report-types$/ },
  oneReportType: { path: /^\/api\/report-types\/\d+$/ },
  files: { method: 'GET', path: /^\/api\/files$/ },
  upload: { method: 'POST', path: /^\/api\/files$/ },
  oneFile: { path: /^\/api\/files\/\d+$/ },
  download: { method: 'GET', path: /^\/api\/files\/\d+\/download$/ },
  view: { method: 'POST', path: /^\/api\/files\/\d+\/view-ticket$/ },
  announce: { method: 'POST', path: /^\/api\/activity-logs$/ },
} as const;

/** Makes the call fail until the returned function is called. */
export async function failing(page: Page, call: FailingCall, answer: (route: Route) => Promise<void>) {
  const matches = (url: URL) => call.path.test(url.pathname);
  const handler = (route: Route) => (route.request().method() === call.method ? answer(route) : route.fallback());
  await page.route(matches, handler);
  return () => page.unroute(matches, handler);
}

interface Row {
  readonly name: string;
  readonly path: string;
  /** Brings the screen to where `press` can be done, once for all failures. */
  readonly open?: (page: Page) => Promise<void>;
  readonly press: (page: Page) => Promise<void>;
  readonly call: FailingCall;
  readonly text: (failure: Reason) => string;
  readonly title?: string;
  /** What else must be on the page after the toast. */
  readonly also?: (page: Page, failure: Reason) => Promise<void>;
  readonly ways?: readonly Reason[];
}

export async function walk(page: Page, rows: readonly Row[]): Promise<void> {
  let standsAt = '';
  for (const row of rows) {
    await test.step(row.name, async () => {
      if (standsAt !== row.path) await page.goto(row.path);
      await row.open?.(page);
      // Dialogs stay open after a failure: reload for the next row.
      standsAt = row.open ? '' : row.path;
      for (const failure of row.ways ?? usualWays) {
        await test.step(failure.way, async () => {
          const restore = await failing(page, row.call, failure.answer);
          await row.press(page);
          await readError(page, row.text(failure), row.title);
          await row.also?.(page, failure);
          await restore();
        });
      }
    });
  }
}

interface PlaceRow {
  readonly name: string;
  readonly path: string;
  readonly call: FailingCall;
  /** What the list's place shows, line by line. */
  readonly lines: (failure: Reason) => readonly string[];
  /** Something that the list shows once the call works again. */
  readonly thing: string;
}

/** Lists say in their own place what went wrong, and offer a retry; there is no toast. */
export async function walkPlaces(page: Page, rows: readonly PlaceRow[]): Promise<void> {
  for (const { name, path, call, lines, thing } of rows) {
    await test.step(name, async () => {
      let restore = await failing(page, call, usualWays[0]?.answer ?? reasons.serverMessage.answer);
      await page.goto(path);
      const fault = page.getByRole('main').getByRole('alert');
      for (const [nth, failure] of usualWays.entries()) {
        await test.step(failure.way, async () => {
          if (nth > 0) {
            await restore();
            restore = await failing(page, call, failure.answer);
            await fault.getByRole('button', { name: 'Retry' }).click();
          }
          const expected = [...lines(failure)];
          await expect.soft(fault.getByRole('paragraph')).toHaveText(expected);
          await expect.soft(notifications(page).getByRole('alert')).toHaveCount(0);
        });
      }
      await restore();
      await fault.getByRole('button', { name: 'Retry' }).click();
      await expect.soft(page.getByText(thing).first()).toBeVisible();
    });
  }
}
