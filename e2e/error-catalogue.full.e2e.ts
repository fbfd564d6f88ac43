// What goes wrong and what the user is shown (docs/behaviour.md, Errors), row by row: each call fails in each way, and the words that the person reads are compared.
import { expect, type Page, type Route } from '@playwright/test';
import {
  calls,
  everyWay,
  failing,
  PROVOKED,
  type Reason,
  reasons,
  UNREACHABLE,
  walk,
  walkPlaces,
} from './failing-calls.ts';
import { type Firm, seedFirm } from './firm.ts';
import { test } from './fixtures.ts';
import { openInTab } from './open-in-tab.ts';
import { makePdf } from './pdf.ts';
import { ADMIN } from './server.ts';
import { notifications, readError, readToast } from './toast.ts';

// Many rows for one sign-in: long on a busy machine.
test.describe.configure({ timeout: 240_000 });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const press = (name: string) => (page: Page) => button(page, name).first().click();
const pressIn = (dialog: string, name: string) => (page: Page) =>
  button(page, name)
    .and(page.getByRole('dialog', { name: dialog }).getByRole('button'))
    .click();

/** Presses delete, and confirms. */
const deleteRow =
  (name: string, title = `Delete ${name}?`) =>
  async (page: Page) => {
    await press(`Delete ${name}`)(page);
    await pressIn(title, 'Delete')(page);
  };

/** A client with files asks for its name. */
const deleteClient = (name: string) => async (page: Page) => {
  await press(`Delete ${name}`)(page);
  await pressIn(`Delete ${name}?`, 'Delete')(page);
};

async function uploadDocument(firm: Firm, name: string): Promise<void> {
  const fields = { clientId: firm.clients[0].id, fileType: 'company_document', documentType: 'Tax Return' };
  await firm.api.upload(fields, name, await makePdf([name]));
}

async function fillClient(page: Page): Promise<void> {
  await press('Add Client')(page);
  const dialog = page.getByRole('dialog', { name: 'Add New Client' });
  await dialog.getByLabel('Client Name').fill('Fernhill Optics');
  await dialog.getByLabel('Address').fill('4 Orchard Lane, Dayton, OH 45402');
  await dialog.getByLabel('Phone Number').pressSequentially('9375550114');
  await dialog.getByLabel('Federal ID').pressSequentially('081112224');
  await dialog.getByLabel('State ID').fill('OH-41');
  await dialog.getByLabel('Email').fill('books@example.com');
}

async function fillUser(page: Page): Promise<void> {
  await press('Add User')(page);
  const dialog = page.getByRole('dialog', { name: 'Add New User' });
  await dialog.getByLabel('Username').fill('new.person');
  await dialog.getByLabel('Password', { exact: true }).fill('secret enough');
  await dialog.getByLabel('Full Name').fill('New Person');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'CPA', exact: true }).click();
}

async function fillName(page: Page, opener: string, name: string): Promise<void> {
  await press(opener)(page);
  await page.getByRole('dialog').getByRole('textbox').fill(name);
}

/** Opens an upload dialog and puts one file into it. */
const chooseFile = (opener: string, title: string) => async (page: Page) => {
  await press(opener)(page);
  const dialog = page.getByRole('dialog', { name: title });
  const choosing = page.waitForEvent('filechooser');
  await button(page, 'Add File').click();
  await (await choosing).setFiles({ name: 'W-2.pdf', mimeType: 'application/pdf', buffer: await makePdf(['W-2']) });
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
};

const uploadText = ({ hasServerMessage, reason }: Reason) =>
  `Failed to upload file: ${hasServerMessage ? reason : 'Failed to upload file'}`;

/** The file stays in the dialog with its reason, ready to be sent again. */
const staysInList = async (page: Page, { hasServerMessage, reason }: Reason) => {
  const item = page.getByRole('dialog').getByRole('listitem');
  await expect.soft(item).toContainText(hasServerMessage ? reason : 'Failed to upload file');
  await expect.soft(item.getByRole('button', { name: 'Retry W-2.pdf' })).toBeEnabled();
};

const staysOpen = async (page: Page) => {
  await expect.soft(page.getByRole('dialog')).toBeVisible();
};

test('what an Admin manages', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const [client] = firm.clients;
  const [reportType] = firm.reportTypes;
  const { username, fullName } = firm.cpa;
  const [role] = (await firm.api.get<{ name: string }[]>('/api/roles?q=Visitor')).slice(-1);
  const roleName = role?.name ?? '';
  const admin = await signIn(ADMIN, { at: null, ...PROVOKED });

  const onClients = `/clients?q=${encodeURIComponent(client.name)}`;
  const onUsers = `/users?q=${username}`;
  const onRoles = `/roles?q=${encodeURIComponent(roleName)}`;
  const onReportTypes = `/report-types?q=${encodeURIComponent(reportType.name)}`;
  await walk(admin, [
    {
      name: 'a client is created',
      path: '/clients',
      open: fillClient,
      press: pressIn('Add New Client', 'Save Client'),
      call: calls.createClient,
      text: ({ reason }) => `Failed to create client: ${reason}`,
      also: staysOpen,
      ways: everyWay,
    },
    {
      name: 'a client is updated',
      path: onClients,
      open: press(`Edit ${client.name}`),
      press: pressIn('Edit Client', 'Save Client'),
      call: { ...calls.oneClient, method: 'PUT' },
      text: ({ reason }) => `Failed to update client: ${reason}`,
      also: staysOpen,
    },
    {
      name: 'a client is deleted',
      path: onClients,
      press: deleteClient(client.name),
      call: { ...calls.oneClient, method: 'DELETE' },
      text: ({ reason }) => `Failed to delete client: ${reason}`,
    },
    {
      name: 'a user is created',
      path: '/users',
      open: fillUser,
      press: pressIn('Add New User', 'Create User'),
      call: calls.createUser,
      text: ({ hasServerMessage, reason }) => (hasServerMessage ? reason : 'Failed to create user'),
      also: staysOpen,
      ways: everyWay,
    },
    {
      name: 'a user is updated',
      path: onUsers,
      open: press(`Edit ${fullName}`),
      press: pressIn('Edit User', 'Update User'),
      call: { ...calls.oneUser, method: 'PUT' },
      text: ({ hasServerMessage, reason }) => (hasServerMessage ? reason : 'Failed to update user'),
      also: staysOpen,
    },
    {
      name: 'a user is deleted',
      path: onUsers,
      press: deleteRow(fullName),
      call: { ...calls.oneUser, method: 'DELETE' },
      text: ({ reason }) => `Failed to delete user: ${reason}`,
    },
    {
      name: 'a role is created',
      path: '/roles',
      open: (page) => fillName(page, 'Add Role', 'Bookkeeper'),
      press: pressIn('Add Role', 'Create Role'),
      call: calls.createRole,
      text: ({ reason }) => `Failed to create role: ${reason}`,
      also: staysOpen,
    },
    {
      name: 'a role is updated',
      path: onRoles,
      open: press(`Edit ${roleName}`),
      press: pressIn('Edit Role', 'Update Role'),
      call: { ...calls.oneRole, method: 'PUT' },
      text: ({ reason }) => `Failed to update role: ${reason}`,
      also: staysOpen,
    },
    {
      name: 'a role is deleted',
      path: onRoles,
      press: deleteRow(roleName, 'Delete Role'),
      call: { ...calls.oneRole, method: 'DELETE' },
      text: ({ reason }) => `Failed to delete role: ${reason}`,
    },
    {
      name: 'a report type is added',
      path: '/report-types',
      open: (page) => fillName(page, 'Add Report Type', 'W-2'),
      press: pressIn('Add Report Type', 'Add'),
      call: calls.addReportType,
      text: ({ reason }) => `Failed to add report type: ${reason}`,
      also: staysOpen,
      ways: everyWay,
    },
    {
      name: 'a report type is deleted',
      path: onReportTypes,
      press: deleteRow(reportType.name),
      call: { ...calls.oneReportType, method: 'DELETE' },
      text: ({ reason }) => `Failed to delete report type: ${reason}`,
    },
  ]);

  await test.step('faults of a field are shown at the field too', async () => {
    await admin.goto('/clients');
    await fillClient(admin);
    const restore = await failing(admin, calls.createClient, (route) =>
      route.fulfill({
        status: 500,
        json: {
          message: 'Invalid email address',
          code: 'invalid',
          requestId: 'catalogue',
          fields: { email: 'Invalid email address' },
        },
      }),
    );
    await pressIn('Add New Client', 'Save Client')(admin);
    const email = admin.getByRole('dialog').getByLabel('Email');
    await expect.soft(email).toHaveAccessibleDescription('Invalid email address');
    await expect.soft(email).toBeFocused();
    await readError(admin, 'Failed to create client: Invalid email address');
    await restore();
  });

  await test.step('a blank report type', async () => {
    await admin.goto('/report-types');
    await fillName(admin, 'Add Report Type', '   ');
    const dialog = admin.getByRole('dialog', { name: 'Add Report Type' });
    await expect.soft(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
    await dialog.getByRole('textbox').fill('W-2');
    // The page offers no way to send it, so it is blanked on the way: the words are the server's.
    const restore = await failing(admin, calls.addReportType, (route) =>
      route.continue({ postData: '{"name":"   "}' }),
    );
    await pressIn('Add Report Type', 'Add')(admin);
    await readError(admin, 'Failed to add report type: Report type name cannot be empty');
    await expect.soft(dialog.getByRole('textbox')).toHaveAccessibleDescription('Report type name cannot be empty');
    await restore();
  });
});

test('files, documents and the overview', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const [client] = firm.clients;
  const [report] = firm.reports;
  const reportName = report?.name ?? '';
  const documentName = `Return of ${client.name}.pdf`;
  await uploadDocument(firm, documentName);
  const admin = await signIn(ADMIN, { at: null, ...PROVOKED });

  const onFiles = `/file-upload?client=${client.id}`;
  const onDocuments = `/firm-documents?client=${client.id}`;
  const download = ({ reason }: Reason) => `Failed to download file: ${reason}`;
  const remove = ({ reason }: Reason) => `Failed to delete file: ${reason}`;
  const open = () => 'Failed to open file';
  await walk(admin, [
    {
      name: 'a file is downloaded',
      path: onFiles,
      press: press(`Download ${reportName}`),
      call: calls.download,
      text: download,
      ways: everyWay,
    },
    { name: 'a file is viewed', path: onFiles, press: press(`View ${reportName}`), call: calls.view, text: open },
    {
      name: 'a file is deleted',
      path: onFiles,
      press: deleteRow(reportName),
      call: { ...calls.oneFile, method: 'DELETE' },
      text: remove,
    },
    {
      name: 'a file is uploaded',
      path: onFiles,
      open: chooseFile('Upload Files', 'Add Data'),
      // It has no report type, which is asked about each time.
      press: async (page) => {
        await pressIn('Add Data', 'Upload')(page);
        await pressIn('Add Data', 'Upload anyway')(page);
      },
      call: calls.upload,
      text: uploadText,
      also: staysInList,
      ways: everyWay,
    },
    {
      name: 'a document is downloaded',
      path: onDocuments,
      press: press(`Download ${documentName}`),
      call: calls.download,
      text: download,
    },
    {
      name: 'a document is viewed',
      path: onDocuments,
      press: press(`View ${documentName}`),
      call: calls.view,
      text: open,
    },
    {
      name: 'a document is deleted',
      path: onDocuments,
      press: deleteRow(documentName),
      call: { ...calls.oneFile, method: 'DELETE' },
      text: remove,
    },
    {
      name: 'a document is uploaded',
      path: onDocuments,
      open: chooseFile('Upload Document', 'Upload Document'),
      press: pressIn('Upload Document', 'Upload'),
      call: calls.upload,
      text: uploadText,
      also: staysInList,
    },
    {
      name: 'a file is downloaded from the overview',
      path: '/',
      press: press(`Download ${reportName}`),
      call: calls.download,
      text: ({ status, statusText }) =>
        `Failed to download file: ${status > 0 ? `Download failed: ${statusText}` : UNREACHABLE}`,
      ways: everyWay,
    },
    {
      name: 'a file is viewed from the overview',
      path: '/',
      press: press(`View ${reportName}`),
      call: calls.view,
      text: open,
    },
  ]);

  await test.step('an error without a reason', async () => {
    for (const path of [onFiles, '/']) {
      await admin.goto(path);
      await admin.evaluate("URL.createObjectURL = () => { throw 'no reason'; }");
      await press(`Download ${reportName}`)(admin);
      await readError(admin, 'Failed to download file: Unknown error');
    }
  });

  await test.step('the browser blocks pop-ups', async () => {
    for (const path of [onFiles, '/']) {
      await admin.goto(path);
      await admin.evaluate('window.open = () => null');
      await press(`View ${reportName}`)(admin);
      await readError(admin, 'Pop-up blocked. Please allow pop-ups for this site.');
    }
  });

  await test.step('the session has ended', async () => {
    const ended = (route: Route) =>
      route.fulfill({
        status: 401,
        json: { message: 'Please sign in.', code: 'unauthenticated', requestId: 'catalogue' },
      });
    const kept = await admin.evaluate(() => Object.entries(localStorage));
    const rows = [onFiles, '/'].flatMap((path) => [
      { path, name: `Download ${reportName}`, call: calls.download },
      { path, name: `View ${reportName}`, call: calls.view },
    ]);
    for (const { path, name, call } of rows) {
      await admin.evaluate((entries) => {
        for (const [key, value] of entries) localStorage.setItem(key, value);
      }, kept);
      await admin.goto(path);
      const restore = await failing(admin, call, ended);
      await press(name)(admin);
      // What was pressed waits for the sign-in: it has not failed.
      await expect.soft(admin.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
      await expect.soft(notifications(admin).getByRole('alert')).toHaveCount(0);
      await restore();
    }
  });
});

test('lists that cannot be had, and the screens of reports', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const [client] = firm.clients;
  const [report] = firm.reports;
  const reportName = report?.name ?? '';
  const documentName = `Return of ${client.name}.pdf`;
  await uploadDocument(firm, documentName);
  const [cpa, clientUser] = await Promise.all([signIn(firm.cpa, PROVOKED), signIn(firm.clientUser, PROVOKED)]);

  const download = ({ reason }: Reason) => `Failed to download file: ${reason}`;
  const open = () => 'Failed to open file';
  const reports = ({ status, reason }: Reason) => [
    status > 0 ? `HTTP error! status: ${status}` : 'Failed to fetch files',
    reason,
  ];
  await walkPlaces(cpa, [
    {
      name: 'the list of files',
      path: '/file-upload',
      call: calls.files,
      lines: ({ reason }) => ['Failed to fetch files', reason],
      thing: reportName,
    },
    {
      name: 'the list of documents',
      path: '/firm-documents',
      call: calls.files,
      lines: ({ reason }) => ['Failed to fetch documents', reason],
      thing: documentName,
    },
    { name: 'the reports of firm staff', path: '/cpa-dashboard', call: calls.files, lines: reports, thing: reportName },
  ]);
  await walkPlaces(clientUser, [
    {
      name: 'the reports of a Client user',
      path: '/client-reports',
      call: calls.files,
      lines: reports,
      thing: reportName,
    },
  ]);
  for (const [page, path] of [
    [cpa, '/cpa-dashboard'],
    [clientUser, '/client-reports'],
  ] as const) {
    await walk(page, [
      {
        name: `a report is downloaded from ${path}`,
        path,
        press: press(`Download ${reportName}`),
        call: calls.download,
        text: download,
      },
      {
        name: `a report is viewed from ${path}`,
        path,
        press: press(`View ${reportName}`),
        call: calls.view,
        text: open,
      },
    ]);
  }

  await test.step('an access that cannot be announced only warns', async () => {
    const warnings: string[] = [];
    cpa.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    for (const { path, name, failure } of [
      { path: '/file-upload', name: reportName, failure: reasons.serverMessage },
      { path: '/firm-documents', name: documentName, failure: reasons.offline },
      { path: '/cpa-dashboard', name: reportName, failure: reasons.page },
    ]) {
      await test.step(`${failure.way}, on ${path}`, async () => {
        const restore = await failing(cpa, calls.announce, failure.answer);
        await cpa.goto(path);
        warnings.length = 0;
        const saving = cpa.waitForEvent('download');
        await press(`Download ${name}`)(cpa);
        expect.soft((await saving).suggestedFilename()).toBe(name);
        await readToast(cpa, 'status', ['File downloaded successfully']);
        await openInTab(cpa, () => press(`View ${name}`)(cpa));
        await expect.soft.poll(() => warnings.length).toBe(2);
        expect.soft(warnings.join()).toContain('The access could not be announced');
        await expect.soft(notifications(cpa).getByRole('alert')).toHaveCount(0);
        await restore();
      });
    }
  });
});

test('signing in', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin);
  const page = await signIn(firm.outsider, PROVOKED);
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  const fill = async () => {
    await page.getByLabel('Username').fill(firm.outsider.username);
    await page.getByLabel('Password', { exact: true }).fill(firm.outsider.password);
  };
  const staysSignedOut = async () => {
    await expect.soft(page).toHaveURL(/\/login/);
    expect.soft(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  };
  await walk(page, [
    {
      name: 'the login fails',
      path: '/login',
      open: fill,
      press: press('Login'),
      call: calls.login,
      text: ({ hasServerMessage, reason }) => (hasServerMessage ? reason : 'Login failed'),
      title: 'Login failed',
      also: staysSignedOut,
      ways: everyWay,
    },
  ]);

  await test.step('with a wrong password', async () => {
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await press('Login')(page);
    await readError(page, 'Invalid username or password', 'Login failed');
    await staysSignedOut();
  });

  await test.step('with what is no Error', async () => {
    await fill();
    await page.evaluate("Storage.prototype.setItem = () => { throw 'no reason'; }");
    await press('Login')(page);
    await readError(page, 'Unknown error occurred', 'Login failed');
    await staysSignedOut();
  });
});
