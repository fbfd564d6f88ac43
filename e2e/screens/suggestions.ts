// The state of screens on which something waits that reviewers had remembered, by stubbed answers.
import type { SuggestionRow } from '#contract/suggestions.ts';
import type { ScreenState } from './screen.ts';
import { UNBROKEN } from './unbroken.ts';

/** What reviewers had remembered: one's own, or what waits for an Admin. */
export const suggestions = (title: string, own: boolean): ScreenState => ({
  name: 'suggestions',
  alone: true,
  open: async (page) => {
    const row = (id: number, words: string, reportTypeName: string): SuggestionRow => ({
      id,
      kind: 'type',
      words,
      clientId: null,
      clientName: null,
      reportTypeId: 1,
      reportTypeName,
      byName: 'Rosa Okafor',
      own,
      createdAt: '2026-11-20T16:04:00.000Z',
    });
    const json = [
      row(1, 'Weekly Hours Report by Crew and Shift', 'Timesheets'),
      row(2, `${UNBROKEN} ledger`, UNBROKEN),
    ];
    await page.route('**/api/suggestions*', (route) => route.fulfill({ json, headers: { 'x-total-count': '2' } }));
    await page.reload();
    await page.getByRole('region', { name: title }).waitFor();
  },
});
