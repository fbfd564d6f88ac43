// The main job in Firefox: an Admin adds a client and uploads, a CPA and a Client read and download it and get nothing else.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { Firefox } from './firefox.ts';
import { test } from './fixtures.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';

const PASSWORD = 'secret enough';
const clientName = 'Harbor & Pine Bakery LLC';
const journal = 'HarborPine_PayrollJournal_2026-11-13_PP23.pdf';
const secret = 'acme-secret.pdf';

const { FIREFOX_PATH } = process.env;

// The firm starts with nothing in it.
test.use({ firmName: 'main job in Firefox' });

const openTest = FIREFOX_PATH ? test : test.fixme;

openTest('in Firefox too, an Admin files a report, a CPA and a Client get it and no other', async ({ server }) => {
  const faults: string[] = [];
  const firefox = await Firefox.start(FIREFOX_PATH ?? '');
  try {
    const pdf = await makePdf([clientName, 'Payroll Journal', 'Gross 12,352.50']);
    const path = join(firefox.folder, 'sent', journal);
    const signIn = async ({ username, password }: { username: string; password: string }) => {
      const tab = await firefox.openTab((fault) => faults.push(fault));
      await tab.open(`${server.origin}/login`);
      await tab.fill('Username', username);
      await tab.fill('Password', password);
      await tab.press('Login');
      await tab.see('Welcome');
      return tab;
    };

    const admin = await signIn(ADMIN);
    await test.step('the Admin adds a client', async () => {
      await admin.press('Clients');
      await admin.press('Add Client');
      await admin.fill('Client Name', clientName);
      await admin.fill('Address', '12 Harbor Street, Portland, ME 04101');
      await admin.fill('Phone Number', '2075550142');
      await admin.fill('Federal ID', '001234567');
      await admin.fill('State ID', 'ME-88121');
      await admin.fill('Email', 'office@example.com');
      await admin.fill('Number of Employees', '12');
      await admin.press('Save Client');
      await admin.see('Client created successfully');
    });

    const api = await apiAs(server.origin);
    const [harbor] = await api.get<{ id: number }[]>('/api/clients');
    const type = await api.post<{ id: number }>('/api/report-types', { name: 'Payroll Journal' });
    const other = await api.post<{ id: number }>('/api/clients', {
      name: 'Acme Plumbing LLC',
      address: '1 Main Street, Portland',
      phone: '(207)-555-0143',
      federalId: '00-7654321',
      stateId: 'ME-1',
      email: 'acme@example.com',
      employeeCount: 3,
      startDate: '2026-01-01',
    });
    const foreign = await makePdf(['Acme Plumbing LLC', 'Payroll Journal']);
    await api.upload({ clientId: other.id, fileType: 'report', reportTypeId: type.id }, secret, foreign);
    const roles = await api.get<{ id: number; name: string }[]>('/api/roles');
    for (const [username, role] of [
      ['carla', 'CPA'],
      ['hank', 'Client'],
    ]) {
      const roleId = roles.find(({ name }) => name === role)?.id;
      const lists = { clientIds: [harbor?.id], reportTypeIds: [type.id] };
      await api.post('/api/users', { username, fullName: username, password: PASSWORD, roleId, ...lists });
    }

    await test.step('the Admin uploads', async () => {
      mkdirSync(dirname(path));
      writeFileSync(path, pdf);
      await admin.open(`${server.origin}/file-upload`);
      await admin.press('Upload Files');
      await admin.choose('Client Name', clientName);
      await admin.choose('Report Type', 'Payroll Journal');
      await admin.attach(path);
      await admin.press('Upload');
      await admin.see('File uploaded successfully');
      await admin.see(journal);
    });

    await test.step('the CPA finds it, reads it in the page and downloads the same bytes', async () => {
      const cpa = await signIn({ username: 'carla', password: PASSWORD });
      await cpa.press('Reports');
      await cpa.see(`Payroll Journal Files for ${clientName}`);
      expect(await cpa.text()).not.toContain(secret);
      await cpa.press(journal);
      expect(await cpa.widthsBeyond(), 'nothing scrolls sideways where a page of the report fits').toBe(0);
      await cpa.press('Download');
      expect((await cpa.downloaded(journal)).equals(pdf)).toBe(true);
    });

    await test.step('the Client sees it, and nothing of another client', async () => {
      const client = await signIn({ username: 'hank', password: PASSWORD });
      await client.press('Reports');
      await client.see('1 report(s) found');
      await client.see(journal);
      expect(await client.text()).not.toContain(secret);
    });
    expect(faults).toEqual([]);
  } finally {
    await firefox.close();
  }
});
