// The report page of a file that took the place of others.
import type { FileVersion } from '#contract/file-versions.ts';
import type { ScreenState } from './screen.ts';
import { UNBROKEN } from './unbroken.ts';

/** A file that took the place of thirty, from the address of one of them. */
export const versions: ScreenState = {
  name: 'versions',
  alone: true,
  open: async (page) => {
    const at = (day: number) => `2026-${day > 15 ? '11' : '10'}-${String((day % 15) + 10)}T15:00:00.000Z`;
    const rows = Array.from({ length: 30 }, (_, index): FileVersion => {
      const nth = 30 - index;
      return {
        id: 900 + nth,
        nth,
        originalName: nth === 29 ? `${UNBROKEN}.pdf` : `Journal 2026-11-13 run ${nth}.pdf`,
        size: 184_320 + nth,
        contentType: 'application/pdf',
        uploadedAt: at(nth),
        uploaderName: 'Rosa Okafor',
        replacedAt: at(nth),
        replacedByName: 'Rosa Okafor',
        because: nth % 2 === 0 ? 'The overtime of the night shift was left out of the first run' : null,
        opened: {
          people: (nth % 3) * 4,
          latest: [UNBROKEN, 'Sam Adler', 'Ida Novak']
            .slice(0, (nth % 3) * 4)
            .map((name) => ({ name, isGone: nth % 2 === 0 })),
          at: nth % 3 === 0 ? null : at(nth),
        },
        mayPutBack: nth !== 28,
      };
    });
    await page.route('**/api/files/*/facts*', async (route) => {
      const answer = await route.fetch();
      const facts = (await answer.json()) as object;
      await route.fulfill({ json: { ...facts, ledHere: true, versions: { rows, total: 30 } } });
    });
    await page.reload();
    const shown = page.getByRole('region', { name: 'Earlier versions' });
    await shown.getByRole('button', { name: 'Show all 30' }).click();
    await shown.getByRole('button', { name: 'Put back Journal 2026-11-13 run 30.pdf' }).click();
    await page.getByRole('dialog').getByRole('radio', { name: 'Keep both' }).waitFor();
  },
};
