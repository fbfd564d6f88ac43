// What is said of each field that is not as it should be, on both engines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { clientInput, type Firm, PASSWORD } from './firm.ts';
import type { TestApp } from './test-app.ts';
import { DATABASE_KINDS } from './test-database.ts';
import { startTestFirm } from './test-firm.ts';

describe.each(DATABASE_KINDS)('the sentences of the fields on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const client = (more: Record<string, unknown>) => clientInput('Larch Street Dental', more);
  const user = (more: Record<string, unknown>) => ({
    username: 'new.user',
    password: PASSWORD,
    fullName: 'New User',
    roleId: firm.roles.client,
    ...more,
  });
  const phone = 'Phone must be in format: (XXX)-XXX-XXXX';
  const federalId = 'Federal ID must be in format: XX-XXXXXXX';
  const count = 'Employee count must be a positive number';

  it.each<[field: string, values: unknown[], sentence: string]>([
    ['name', [undefined, '', 'A', ' A '], 'Name must be at least 2 characters'],
    ['address', [undefined, '', '1234', ' 1234 '], 'Address must be at least 5 characters'],
    [
      'phone',
      [undefined, '', '2075550142', '(207) 555-0142', '(207)-555-01422', ' (207)-555-0142', '(٢٠٧)-555-0142'],
      phone,
    ],
    ['federalId', [undefined, '', '123456789', '0-12345678', '00-12345678', '00-123456a', '00–1234567'], federalId],
    ['stateId', [undefined, '', '   '], 'State ID is required'],
    ['email', [undefined, '', 'office', 'office@', '@example.com', 'a b@example.com', 'a@b'], 'Invalid email address'],
    ['employeeCount', [undefined, '', 'many', -1, '-1', 1.5, '1.5', null], count],
    ['startDate', [undefined, '', null], 'Start date is required'],
  ])('client %s', async (field, values, sentence) => {
    for (const value of values) {
      const input = { ...client({}), [field]: value };
      for (const answer of [
        await app.admin.post<ErrorBody>('/api/clients', input),
        await app.admin.put<ErrorBody>(`/api/clients/${firm.clients[0]}`, input),
      ]) {
        expect([value, answer.status, answer.body.fields]).toEqual([value, 400, { [field]: sentence }]);
        expect(answer.body.message).toBe(sentence);
      }
    }
  });

  it.each<[field: string, values: unknown[], sentence: string]>([
    ['username', [undefined, '', 'ab', ' ab '], 'Username must be at least 3 characters'],
    ['password', ['12345', 12345678, {}], 'Password must be at least 6 characters'],
    ['fullName', [undefined, '', '  '], 'Full name is required'],
    ['roleId', [undefined, null, 0, -1, 1.5, '2', '', 999_999], 'Please select a role'],
  ])('user %s', async (field, values, sentence) => {
    for (const value of values) {
      const input = user({ [field]: value });
      for (const answer of [
        await app.admin.post<ErrorBody>('/api/users', input),
        await app.admin.put<ErrorBody>(`/api/users/${firm.users.clientA}`, {
          ...input,
          username: input.username ?? undefined,
        }),
      ]) {
        expect([value, answer.status, answer.body.fields]).toEqual([value, 400, { [field]: sentence }]);
        expect(answer.body.message).toBe(sentence);
      }
    }
  });

  it('a new user needs a password, at most 128 characters of it', async () => {
    for (const password of [undefined, null, '']) {
      const { status, body } = await app.admin.post<ErrorBody>('/api/users', user({ password }));
      expect([status, body.message]).toEqual([400, 'Password must be at least 6 characters']);
    }
    const { status, body } = await app.admin.post<ErrorBody>('/api/users', user({ password: 'x'.repeat(129) }));
    expect([status, body.message]).toEqual([400, 'Password must be at most 128 characters']);
    const longest = await app.admin.post(
      '/api/users',
      user({ username: 'longest', password: '\u{1F511}'.repeat(128) }),
    );
    expect(longest.status).toBe(201);
    await app.login('longest', '\u{1F511}'.repeat(128));
  });

  it('lists must name clients and report types that exist', async () => {
    const clientIds = 'Some of the chosen clients no longer exist';
    const reportTypeIds = 'Some of the chosen report types no longer exist';
    const gone = [999_999];
    const cases: readonly [lists: Record<string, number[]>, fields: Record<string, string>][] = [
      [{ clientIds: gone }, { clientIds }],
      [{ reportTypeIds: gone }, { reportTypeIds }],
      [
        { clientIds: gone, reportTypeIds: gone },
        { clientIds, reportTypeIds },
      ],
      [{ clientIds: Array.from({ length: 10_000 }, (_, n) => n + 1) }, { clientIds }],
    ];
    for (const [lists, fields] of cases) {
      const { status, body } = await app.admin.post<ErrorBody>('/api/users', user(lists));
      expect([status, body.code, body.fields]).toEqual([400, 'invalid', fields]);
    }
  });

  it.each<[what: string, path: string, sentence: string]>([
    ['role', '/api/roles', 'Role name is required'],
    ['report type', '/api/report-types', 'Report type name cannot be empty'],
  ])('%s name', async (_what, path, sentence) => {
    for (const name of [undefined, null, '', '   ', '\u00a0']) {
      const { status, body } = await app.admin.post<ErrorBody>(path, { name });
      expect([name, status, body.message, body.fields]).toEqual([name, 400, sentence, { name: sentence }]);
    }
  });

  it('login', async () => {
    const login = async (body: unknown) => {
      const answer = await app.anonymous.post<ErrorBody>('/api/auth/login', body);
      return [answer.status, answer.body.fields];
    };
    const username = 'Username is required';
    const password = 'Password is required';
    expect(await login({})).toEqual([400, { username, password }]);
    expect(await login({ username: '', password: '' })).toEqual([400, { username, password }]);
    expect(await login({ username: '   ', password: 'x' })).toEqual([400, { username }]);
    expect(await login({ username: 'clientA' })).toEqual([400, { password }]);
    expect(await login({ username: 'clientA', password: null })).toEqual([400, { password }]);
    const passwordMax = 'Must be at most 256 characters';
    expect(await login({ username: 'clientA', password: 'x'.repeat(10_000) })).toEqual([
      400,
      { password: passwordMax },
    ]);
    const [status] = await login({ username: 'clientA', password: 'x'.repeat(1_000_000) });
    expect(status).toBe(413);
  });

  it('upload', async () => {
    const fields = { clientId: firm.clients[0], fileType: 'report' };
    const form = async (build: (form: FormData) => void) => {
      const body = new FormData();
      build(body);
      const response = await app.admin.fetch('/api/files', { method: 'POST', body });
      return [response.status, ((await response.json()) as ErrorBody).message];
    };
    const file = (body: FormData) => body.append('file', new Blob(['hello']), 'hello.txt');
    expect(await form((body) => body.append('fileType', 'report'))).toEqual([
      400,
      'Please select at least one file to upload',
    ]);
    for (const clientId of [undefined, '']) {
      const answer = await form((body) => {
        if (clientId !== undefined) body.append('clientId', clientId);
        body.append('fileType', 'report');
        file(body);
      });
      expect(answer).toEqual([400, 'Please select a client']);
    }
    const upload = async (more: Record<string, string | number>) =>
      (await app.admin.upload<ErrorBody>({ fields: { ...fields, ...more } })).body.message;
    expect(await upload({ fileType: 'invoice' })).toBe('File type must be report or company_document');
    expect(await upload({ reportTypeId: 'x' })).toBe('Must be a positive whole number');
    // A browser sends an untouched file input as a part without name and bytes.
    const untouched = await form((body) => {
      for (const [key, value] of Object.entries(fields)) body.append(key, String(value));
      body.append('file', new Blob([]), '');
    });
    expect(untouched[0]).toBe(400);
  });
});
