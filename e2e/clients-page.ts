// Client Management as its tests meet it: its table and search, a client to be in it, and a press that does not end.
import type { Page } from '@playwright/test';
import type { ApiCaller } from './api.ts';

export const LIST = /\/api\/clients\?/;

export const facts = {
  address: '4 Orchard Lane, Dayton, OH 45402',
  phone: '(937)-555-0117',
  federalId: '08-1112223',
  stateId: 'OH-11',
  email: 'books@example.com',
  employeeCount: 1204,
  startDate: '2025-01-31',
};

export const addClient = (api: ApiCaller, name: string, more: Partial<typeof facts> = {}) =>
  api.post<{ id: number; name: string }>('/api/clients', { ...facts, ...more, name });

/** Presses a button of these words over and over, also while its dialog fades, until the answer is called. */
export async function pressOnAndOn(page: Page, words: string): Promise<() => Promise<void>> {
  const timer = await page.evaluate<number>(`setInterval(() => {
    [...document.querySelectorAll('button')].find((button) => button.textContent === '${words}')?.click();
  }, 4)`);
  return () => page.evaluate(`clearInterval(${timer})`);
}

export const table = (page: Page) => page.getByRole('table', { name: 'Clients' });
export const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
export const search = (page: Page) => page.getByPlaceholder('Search clients by name, email, phone, federal ID...');
