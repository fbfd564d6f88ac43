// The page of the firm: an Admin gives the portal a name, a logo, a colour and words, and people see them before they sign in.
import { expect } from '@playwright/test';
import { apiAs } from './api.ts';
import { seedFirm } from './firm.ts';
import { login, test } from './fixtures.ts';
import { ADMIN } from './server.ts';
import { expectFocusIn } from './settle.ts';
import { failCalls, holdCalls } from './stub.ts';
import { readError } from './toast.ts';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="15"><rect width="60" height="15" fill="#0b5d4e"/></svg>`;
/** The next picture is read no further until `goOn()`. */
const HOLD_PICTURE = `
  const { decode } = HTMLImageElement.prototype;
  HTMLImageElement.prototype.decode = async function () {
    HTMLImageElement.prototype.decode = decode;
    await new Promise((resolve) => (globalThis.goOn = resolve));
    return decode.call(this);
  };
`;
const UNSET = { name: '', accent: '', address: '', phone: '', welcome: '', logo: null, supportEmail: '' };

test.afterEach(async ({ server }) => {
  await (await apiAs(server.origin, ADMIN)).put('/api/firm-settings', UNSET);
});

test('an Admin gives the portal the face of the firm, and the sign-in page has it', async ({ signIn, server }) => {
  const page = await signIn(ADMIN, { at: '/firm-settings?do=support', failures: [400, 412, 503] });
  const form = page.getByRole('form', { name: 'Firm' });
  const field = (name: string) => form.getByRole('textbox', { name, exact: true });
  const save = form.getByRole('button', { name: 'Save', exact: true });
  const choose = (name: string, mimeType: string, picture: string) =>
    form.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(picture) });
  const support = field('Support address');
  await expect(support).toBeFocused();
  await expect(support).toHaveAccessibleDescription(/Left empty, it is support@example.com/);
  await expect(save).toBeDisabled();

  await test.step('what is wrong is said at its field, and nothing typed is lost', async () => {
    await field('Name').fill('Harbor & Pine Payroll');
    await support.fill('help at example.com');
    await save.click();
    await expect(support).toHaveAccessibleDescription(/Invalid email address/);
    await expect(support).toBeFocused();
    await support.fill(' help@example.com ');
    await field('Color').fill('#FFE600');
    await expect(field('Color')).toHaveAccessibleDescription(/too light to be seen on a white page/);
    await save.click();
    await expect(field('Color')).toBeFocused();
    await form.getByRole('button', { name: /^Use #/ }).click();
    await expect(field('Color')).toHaveValue(/^#(?!ffe600)[0-9a-f]{6}$/);
    await field('Color').fill('#0b5d4e');
    await choose('notes.png', 'image/png', 'no picture');
    await expect(form.getByRole('alert')).toContainText('could not be read');
    await choose('empty.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"/>');
    await expect(form.getByRole('alert')).toContainText('There is nothing to be seen in this picture');
    await choose('logo.svg', 'image/svg+xml', SVG);
    await expect(form.getByRole('button', { name: 'Remove Logo' })).toBeVisible();
    await choose('notes.png', 'image/png', 'no picture');
    await expect(form.getByRole('alert')).toContainText('could not be read');
    await form.getByRole('button', { name: 'Remove Logo' }).click();
    await expect(form.getByRole('alert')).toHaveCount(0);
    // Where the button was, something near it has the focus.
    await expectFocusIn(form.getByRole('group', { name: 'Logo' }));
    // The last one counts, though the one before is read only now.
    await page.evaluate(HOLD_PICTURE);
    await choose('notes.png', 'image/png', 'no picture');
    await page.waitForFunction('globalThis.goOn');
    await choose('logo.svg', 'image/svg+xml', SVG);
    await expect(form.getByRole('button', { name: 'Remove Logo' })).toBeVisible();
    await page.evaluate('goOn()');
    await field('Welcome text').fill('Welcome.\nForms are here <b>from January</b>.');
    for (const scheme of ['light', 'dark']) {
      const preview = page.getByRole('img', { name: new RegExp(`^Preview of the sign-in page.* ${scheme}`) });
      // On the sign-in page, in the portal, and in a mail.
      await expect(preview.getByText('Harbor & Pine Payroll', { exact: true })).toHaveCount(2);
      await expect(preview).toContainText('Forms are here <b>from January</b>.');
      await expect(preview).toContainText('This mail was sent automatically by Harbor & Pine Payroll.');
    }
    await expect(form.getByRole('alert')).toHaveCount(0);
  });

  await test.step('leaving asks first', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Mail' }).click();
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(/\/firm-settings$/);
    await expect(field('Name')).toHaveValue('Harbor & Pine Payroll');
  });

  await test.step('what another Admin changed meanwhile is not overwritten unseen', async () => {
    await (await apiAs(server.origin, ADMIN)).put('/api/firm-settings', { phone: '(937)-555-0100' });
    await save.click();
    await expect(form.getByRole('alert')).toContainText('This was changed by');
    const restore = await failCalls(page, /\/api\/firm-settings$/, { status: 503, message: 'Try later.' });
    await form.getByRole('button', { name: 'Reload' }).click();
    await readError(page, 'Failed to reload: Try later.');
    await restore();
    await expect(field('Name')).toHaveValue('Harbor & Pine Payroll');
    // Pressed twice, it is sent once: the second would be refused for what the first has saved.
    await form.getByRole('button', { name: 'Keep mine' }).dblclick();
    await expect(page.getByText('What your firm shows was saved')).toBeVisible();
    await expect(form.getByRole('alert')).toHaveCount(0);
    await expect(field('Phone')).toHaveValue('(937)-555-0100');
    await expect(save).toBeDisabled();
    // A number needs its digits alone.
    await field('Phone').fill('');
    await field('Phone').pressSequentially('6505550142');
    await expect(field('Phone')).toHaveValue('(650)-555-0142');
    await form.getByRole('button', { name: 'Discard' }).click();
    await expect(field('Phone')).toHaveValue('(937)-555-0100');
    await expectFocusIn(form);
  });

  await test.step('what is typed while the rest is saved is not lost', async () => {
    await field('Address').fill('12 Harbor Street');
    const answer = await holdCalls(page, /\/api\/firm-settings$/);
    await save.click();
    await expect(form.getByRole('button', { name: 'Saving...' })).toBeDisabled();
    await field('Phone').fill('');
    await field('Phone').pressSequentially('6505550142');
    answer();
    await expect(save).toBeEnabled();
    await expect(field('Phone')).toHaveValue('(650)-555-0142');
    await expect(field('Address')).toHaveValue('12 Harbor Street');
    await save.click();
    await expect(save).toBeDisabled();
    await expect(field('Phone')).toHaveValue('(650)-555-0142');
    await expect(form.getByRole('alert')).toHaveCount(0);
  });

  await test.step('the portal has it at once', async () => {
    await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Harbor & Pine Payroll');
    await expect(page).toHaveTitle('Firm · Harbor & Pine Payroll');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toHaveCount(1);
    expect(
      await page.evaluate<string>(
        'getComputedStyle(document.documentElement).getPropertyValue("--mantine-color-anchor")',
      ),
    ).toBe('#0b5d4e');
  });

  await test.step('and the sign-in page, from its first draw', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await page.reload();
    await expect(page).toHaveTitle('Login · Harbor & Pine Payroll');
    await expect(page.getByText('Forms are here <b>from January</b>.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Contact Support' })).toHaveAttribute(
      'href',
      'mailto:help@example.com',
    );
    const logo = page.locator('main img');
    await expect(logo).toHaveAttribute('width', '160');
    await expect.poll(() => page.evaluate<number>("document.querySelector('main img').naturalWidth")).toBe(512);
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toHaveCSS(
      'background-color',
      'rgb(11, 93, 78)',
    );
    // Whoever cannot get in by a link is told whom to call.
    await page.goto('/invitation');
    await expect(page.getByRole('link', { name: '(650)-555-0142' })).toHaveAttribute('href', 'tel:+16505550142');
    await page.goto('/login');
    await login(page, ADMIN);
    await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Harbor & Pine Payroll');
  });
});

test('nobody else has the page', async ({ signIn, server }) => {
  const firm = await seedFirm(server.origin, { reports: 1 });
  const page = await signIn(firm.cpa, { at: '/firm-settings' });
  await expect(page.getByRole('heading', { level: 1, name: 'Firm' })).toBeVisible();
  await expect(page.getByRole('form')).toHaveCount(0);
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Firm', exact: true }),
  ).toHaveCount(0);
});
