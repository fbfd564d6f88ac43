// Between a page and the server: answers that come late, fail, or hold what no server would store.
import { expect, type Page, type Request, type Route } from '@playwright/test';

/** Holds every call whose address matches until the returned function is called; from then on calls pass. */
export async function holdCalls(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

/** Makes matching calls fail with a status and a message; the returned function lets them pass again. */
export async function failCalls(
  page: Page,
  address: RegExp,
  { status, message }: { status: number; message: string },
): Promise<() => Promise<void>> {
  const fail = (route: Route) => route.fulfill({ status, json: { message, code: 'internal', requestId: 'stub' } });
  await page.route(address, fail);
  return () => page.unroute(address, fail);
}

/** Reloads a page whose list then fails, expects the reason in the list's place, and presses Retry once calls pass again. */
export async function failThenRetry(page: Page, address: RegExp): Promise<void> {
  await page.unrouteAll();
  const restore = await failCalls(page, address, { status: 500, message: 'The ledger is closed.' });
  await page.reload();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The ledger is closed.');
  // Within a region that is read out it would be said twice.
  await expect(page.locator('main [aria-live="polite"]').getByRole('alert')).toHaveCount(0);
  await restore();
  await page.getByRole('button', { name: 'Retry' }).click();
}

/** Answers matching calls with one page of a list that holds `total` rows. */
export async function answerList(page: Page, address: RegExp, rows: readonly unknown[], total = rows.length) {
  await page.route(address, (route) => route.fulfill({ json: rows, headers: { 'X-Total-Count': String(total) } }));
}

/** Lets matching calls be answered by the server, and changes what it answers; the returned function lets them pass again. */
export async function changeAnswers<Body>(
  page: Page,
  address: RegExp,
  change: (body: Body) => unknown,
): Promise<() => Promise<void>> {
  const answer = async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Body) });
  };
  await page.route(address, answer);
  return () => page.unroute(address, answer);
}

/** For `page.route`: lets the server do what it is asked, and nobody hears of it. */
export async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('connectionfailed');
}

/** The calls of a page whose address matches, from now on, in their order. */
export function listenForCalls(page: Page, address: RegExp): readonly Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (address.test(request.url())) calls.push(request);
  });
  return calls;
}
