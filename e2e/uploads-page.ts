// Add Data as its tests use it: what is chosen in it, the files it lists, and files that are dragged over the window.
import { expect, type Locator, type Page } from '@playwright/test';

let given = 0;

/** Names that no other test uses, so that a list can be searched for them. */
export function freshNames(count: number): string[] {
  return Array.from({ length: count }, () => {
    given += 1;
    return `Upload ${process.pid} ${given}.txt`;
  });
}

export const items = (dialog: Locator) => dialog.getByRole('list', { name: 'File Uploads' }).getByRole('listitem');
export const submit = (dialog: Locator) => dialog.getByRole('button', { name: /^(Upload|Uploading...)$/ });

/** Opens Add Data and chooses in each of these fields, in their order. */
export async function openAddData(page: Page, choices: Readonly<Record<string, string>> = {}): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload Files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Data' });
  await expect(dialog).toBeVisible();
  for (const [label, option] of Object.entries(choices)) await choose(page, dialog, label, option);
  return dialog;
}

export async function choose(page: Page, dialog: Locator, label: string, option: string | RegExp): Promise<void> {
  const field = dialog.getByRole('combobox', { name: label, exact: true });
  const exact = typeof option === 'string';
  await field.click();
  // The list shows fifty clients, and this server may have more.
  if (label === 'Client Name' && exact) await field.fill(option);
  await page.getByRole('option', { name: option, exact }).click();
}

export const textFile = (name: string, text = `Text of ${name}`) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

export async function addFile(page: Page, dialog: Locator, file: ReturnType<typeof textFile>): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add File' }).click();
  const chooser = await choosing;
  expect(chooser.isMultiple(), 'one file at a time').toBe(false);
  await chooser.setFiles(file);
}

/** Drags files over the window; the returned function drops them where the pointer is. */
export async function drag(page: Page, names: readonly string[]): Promise<() => Promise<void>> {
  // As text: the page's own types are not those of a test.
  const dataTransfer = await page.evaluateHandle(`(() => {
    const carried = new DataTransfer();
    for (const name of ${JSON.stringify(names)}) {
      carried.items.add(new File(['Text of ' + name], name, { type: 'text/plain', lastModified: 1790000000000 }));
    }
    return carried;
  })()`);
  await page.getByRole('main').dispatchEvent('dragenter', { dataTransfer });
  return () => page.getByText('Drop files to upload').dispatchEvent('drop', { dataTransfer });
}
