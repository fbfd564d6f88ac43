// The pages of batches as their tests use them, and the print files that they drop.
import { expect, type Page } from '@playwright/test';
import type { Firm } from './firm.ts';
import { makePages } from './pdf.ts';

export const list = (page: Page) => page.getByRole('listbox', { name: 'Documents' });
export const group = (page: Page, name: string) => list(page).getByRole('group', { name });
export const selected = (page: Page) => list(page).getByRole('option', { selected: true });
export const pane = (page: Page) => page.getByRole('region', { name: 'Document', exact: true });
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

let printed = 0;

interface Company {
  readonly name: string;
  readonly federalId: string;
}

export const unknown: Company = { name: 'Kestrel Joinery LLC', federalId: '07-5550123' };

/** Two pages for each company, as a payroll program prints them; each file has bytes of its own. */
export function printFile(companies: readonly Company[]): Promise<Buffer> {
  printed += 1;
  return makePages(
    companies.flatMap(({ name, federalId }) =>
      [1, 2].map((page) => [
        name,
        `Federal ID ${federalId}`,
        'Payroll Journal',
        `Check Date 11/20/2026    Page ${page} of 2`,
        `Run ${printed}`,
        `Employee ${page}    1,200.00    94.51    1,105.49`,
      ]),
    ),
  );
}

export const known = ({ clients }: Pick<Firm, 'clients'>) =>
  clients.map(({ name }, nth): Company => ({ name, federalId: `08-111222${nth + 1}` }));

/** Drops files onto the window, as a browser hands them over. */
export async function drop(page: Page, files: readonly { name: string; bytes: Buffer }[]): Promise<void> {
  const sent = files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }));
  // As text: the page's own types are not those of a test.
  const dataTransfer = await page.evaluateHandle(`(() => {
    const carried = new DataTransfer();
    for (const { name, base64 } of ${JSON.stringify(sent)}) {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      carried.items.add(new File([bytes], name));
    }
    return carried;
  })()`);
  await page.getByRole('main').dispatchEvent('dragenter', { dataTransfer });
  await page.getByText('Drop files to upload').dispatchEvent('drop', { dataTransfer });
}

export async function choose(
  page: Page,
  files: readonly { name: string; bytes: Buffer }[],
  button = 'New Batch',
): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await press(page, button);
  await (await choosing).setFiles(
    files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })),
  );
}

export const reviewed = (page: Page) => expect(list(page)).toBeVisible({ timeout: 60_000 });

/** How much each row of the list is higher than what stands in it, in px; less than nothing where something is cut. */
export const roomInRows = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('[aria-label="Documents"] [role="option"]')].map((row) => {
    const { paddingTop, paddingBottom } = getComputedStyle(row);
    const lines = [...row.children].filter((line) => getComputedStyle(line).position !== 'absolute');
    const needed = lines.reduce((sum, line) => sum + line.getBoundingClientRect().height, 0);
    return row.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom) - needed;
  })`) as Promise<number[]>;
