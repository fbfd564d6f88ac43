// The states of screens on which files correct others, by stubbed answers.
import type { ScreenState } from './screen.ts';

const otherRun = (id: number, originalName: string) => ({ id, originalName, uploadedAt: '2026-11-20T15:00:00.000Z' });

/** A file that corrects another one and is corrected itself, on its page. */
export const corrected: ScreenState = {
  name: 'corrected',
  alone: true,
  open: async (page) => {
    await page.route('**/api/files/*/facts*', async (route) => {
      const answer = await route.fetch();
      const facts = (await answer.json()) as { file: object };
      const said = {
        corrects: otherRun(1, 'Journal 2026-11-13 first run.pdf'),
        correctedBy: otherRun(2, 'Journal 2026-11-13 third run.pdf'),
      };
      await route.fulfill({ json: { ...facts, file: { ...facts.file, ...said } } });
    });
    await page.reload();
    await page.getByRole('region', { name: 'Corrections' }).getByText('opened the earlier file').waitFor();
  },
};

/** Files that are corrected, and those that correct them, in a list. */
export const correctedRows: ScreenState = {
  name: 'corrected',
  alone: true,
  open: async (page) => {
    await page.route('**/api/files?*', async (route) => {
      const answer = await route.fetch();
      const rows = (await answer.json()) as object[];
      const said = [{ corrects: otherRun(1, 'First run.pdf') }, { correctedBy: otherRun(2, 'Second run.pdf') }];
      const json = rows.map((row, nth) => ({ ...row, ...said[nth % 5] }));
      await route.fulfill({ response: answer, json });
    });
    await page.reload();
    await page.getByRole('img', { name: 'Corrected by Second run.pdf' }).first().waitFor();
  },
};
