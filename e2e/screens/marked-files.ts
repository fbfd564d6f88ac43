// The states of screens on which an upload names another company, by stubbed answers: its job needs its time.
import type { Page } from '@playwright/test';
import type { ScreenState } from './screen.ts';

/** Two uploads name another company; of the files that a page asks about, the first does. */
async function stubMarks(page: Page): Promise<void> {
  await page.route('**/api/files/marked?*', async (route) => {
    const ids = new URL(route.request().url()).searchParams.get('ids')?.split(',').map(Number) ?? [1];
    const answer = await page.request.get(new URL(`/api/files/${ids[0]}/facts`, page.url()).href, {
      headers: await route.request().allHeaders(),
    });
    const { file } = (await answer.json()) as { file?: object };
    const mark = {
      file,
      namedClient: { id: 2, name: 'Harbor & Pine Bakery and Catering of the Northern Lakes LLC' },
      markedAt: '2026-11-03T15:00:00.000Z',
    };
    await route.fulfill({ headers: { 'x-total-count': '2' }, json: file === undefined ? [] : [mark] });
  });
  await page.reload();
}

/** Below a name in a list. */
export const markedRow: ScreenState = {
  name: 'names-another',
  alone: true,
  open: async (page) => {
    await stubMarks(page);
    await page
      .getByRole('link', { name: /^Names another company: / })
      .first()
      .waitFor();
  },
};

/** On the home of staff. */
export const markedCard: ScreenState = {
  name: 'names-another',
  alone: true,
  open: async (page) => {
    await stubMarks(page);
    await page.getByRole('link', { name: '2 uploads name another company' }).waitFor();
  },
};

/** Above the file. */
export const markedFile: ScreenState = {
  name: 'names-another',
  alone: true,
  open: async (page) => {
    await stubMarks(page);
    await page.getByRole('region', { name: 'Names another company' }).getByRole('button').first().waitFor();
  },
};
