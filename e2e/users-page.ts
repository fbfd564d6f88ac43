// User Management as its tests meet it: its table, what its dialogs hold, and people to be in it.
import type { Locator, Page } from '@playwright/test';
import type { ApiCaller } from './api.ts';
import { type Named, PASSWORD } from './firm.ts';

export const table = (page: Page) => page.getByRole('table', { name: 'Users' });
export const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

async function roleId(api: ApiCaller, name: string): Promise<number | undefined> {
  return (await api.get<Named[]>('/api/roles')).find((role) => role.name === name)?.id;
}

export async function addPerson(api: ApiCaller, username: string, fullName: string, role = 'CPA') {
  const body = { username, password: PASSWORD, fullName, clientIds: null, reportTypeIds: null };
  return api.post<{ id: number }>('/api/users', { ...body, roleId: await roleId(api, role) });
}

export const checklist = (dialog: Locator, label: string) => dialog.getByRole('group', { name: label });

export async function chooseRole(page: Page, dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}
