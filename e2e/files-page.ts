// The table of the Files screen, as its tests read it.
import type { Page } from '@playwright/test';

export const table = (page: Page) => page.getByRole('table', { name: 'Uploaded Files' });
export const row = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: new RegExp(`^${name.replaceAll('.', '[.]')}(?: New)?$`) }) });
export const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
export const bar = (page: Page) => page.getByRole('region', { name: 'Selected uploaded files' });
