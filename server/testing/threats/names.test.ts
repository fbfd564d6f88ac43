// Row G16 of the threat model, names: every character of a name is visible, and no new name can be confused with another.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from '../firm.ts';
import type { Answer, Caller, TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';

interface Named {
  readonly id: number;
}

describe.each(DATABASE_KINDS)('names on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const person = (more: Record<string, unknown>) => ({
    username: 'somebody.new',
    fullName: 'Somebody New',
    roleId: firm.roles.bookkeeper,
    password: PASSWORD,
    clientIds: null,
    reportTypeIds: null,
    ...more,
  });

  type What = 'role' | 'report type' | 'client' | 'user name' | 'full name';

  /** Every way in which a name is given to something new. */
  const ways: Record<What, (name: string, by: Caller) => Promise<Answer>> = {
    role: (name, by) => by.post('/api/roles', { name }),
    'report type': (name, by) => by.post('/api/report-types', { name }),
    client: (name, by) => by.post('/api/clients', clientInput(name)),
    'user name': (name, by) => by.post('/api/users', person({ username: name })),
    'full name': (name, by) => by.post('/api/users', person({ fullName: name })),
  };
  const WAYS = Object.keys(ways) as What[];
  const fieldOf = (what: What) => (what === 'user name' ? 'username' : what === 'full name' ? 'fullName' : 'name');
  const give = (what: What, name: string, by = app.admin) => ways[what](name, by) as Promise<Answer<ErrorBody>>;

  const UNSEEN = 'Must not contain invisible characters. Please type it again instead of pasting it.';
  const NOTHING = 'Must contain at least one letter, digit or other visible character';

  it.each([
    ['a zero-width space', 'Admin\u200b'],
    ['a soft hyphen', 'Ad\u00admin'],
    ['a Hangul filler', 'Admin\u3164'],
    ['a half-width Hangul filler', 'Admin\uffa0'],
    ['a right-to-left mark', 'Admin\u200f'],
    ['an Arabic letter mark', 'Ad\u061cmin'],
    ['a word joiner', 'Ad\u2060min'],
    ['a variation selector', 'Admin\ufe0f'],
    ['a tag', 'Admin\u{e0041}'],
    ['a blank of braille', 'Admin\u2800'],
    ['nothing but fillers', '\u3164\u3164\u3164'],
  ])('G16: a name with %s is refused everywhere, with what to do', async (_what, name) => {
    for (const what of WAYS) {
      const { status, body } = await give(what, name);
      expect([what, status, body.fields]).toEqual([what, 400, { [fieldOf(what)]: UNSEEN }]);
    }
    const client = await app.admin.post<ErrorBody>('/api/clients', {
      ...clientInput('Clean name'),
      address: `12 Harbor ${name}`,
      stateId: `ME ${name}`,
    });
    expect([client.status, client.body.fields]).toEqual([400, { address: UNSEEN, stateId: UNSEEN }]);
  });

  it.each([
    ['combining marks', '\u0301\u0301\u0301'],
    ['code points that stand for nothing', '\u{f0000}\u{f0000}\u{f0000}'],
  ])('G16: a name of nothing but %s is refused everywhere', async (_what, name) => {
    for (const what of WAYS) {
      const { status, body } = await give(what, name);
      expect([what, status, body.fields]).toEqual([what, 400, { [fieldOf(what)]: NOTHING }]);
    }
  });

  it('G16: honest names of all kinds are taken', async () => {
    const honest = [
      'Zoë Núñez',
      'Ἀλέξανδρος',
      'Анна Иванова',
      '王小明',
      'محمد علي',
      "O'Brien & Söhne",
      '株式会社 42',
      '😀 Bakery',
    ];
    for (const name of honest) expect([name, (await give('client', name)).status]).toEqual([name, 201]);
  });

  /** An existing name, by noun, and others that look like it. */
  const alike: [what: What, existing: string, others: string[]][] = [
    ['role', 'Admin', ['\u0410dmin', 'Adm\u0456n', '\u0391D\u039cIN', 'ADM\u0406N']],
    ['role', 'Bookkeeper', ['\u0412ookkeeper', 'B\u043e\u043ekkeeper']],
    ['report type', 'Tax Notice', ['\u0422ax Notice', 'Tax N\u03bftice', 'Tax\u00a0 Notice', 'Tax  Notice']],
    ['client', 'Acme Plumbing of Ohio Inc.', ['\u0410cme Plumbing of Ohio Inc.', 'Acme Plumbing of Ohi\u0585 Inc.']],
    ['user name', 'clientA', ['\u0441lientA', 'CLIENT\u0391', 'cl\u0131entA', 'client\u0251']],
    ['full name', 'Full clientA', ['Full \u0441lientA', 'Full client\u0410']],
  ];

  it.each(alike)('G16: a %s that looks like "%s" is a conflict that names it', async (what, existing, others) => {
    for (const other of others) {
      const { status, body } = await give(what, other);
      const message = `This name looks like "${existing}", which exists already. Please choose one that cannot be mistaken for it.`;
      const fields = { [fieldOf(what)]: message };
      expect([other, status, body]).toEqual([
        other,
        409,
        { code: 'name_looks_like', message, requestId: expect.any(String), fields },
      ]);
    }
  });

  it('G16: names that differ in plain letters and digits stay allowed, and so do two people of one name', async () => {
    for (const name of ['Unit 1', 'Unit l', 'Unit I', 'Unit 0', 'Unit O', 'Müller & Warner', 'Müller & Wamer']) {
      expect([name, (await give('client', name)).status]).toEqual([name, 201]);
    }
    for (const username of ['first.jose', 'second.jose']) {
      const { status } = await app.admin.post('/api/users', person({ username, fullName: 'José Núñez' }));
      expect([username, status]).toEqual([username, 201]);
    }
  });

  it('G16: a change to such a name is a conflict too, and one that keeps its own name never is', async () => {
    const { body: role } = await app.admin.post<Named>('/api/roles', { name: 'Reviewer' });
    const { body: client } = await app.admin.post<Named>('/api/clients', clientInput('Own name Ltd'));
    const { body: user } = await app.admin.post<Named>(
      '/api/users',
      person({ username: 'own.name', fullName: 'Own Name' }),
    );
    const changes: [path: string, body: Record<string, unknown>, field: string][] = [
      [`/api/roles/${role.id}`, { name: '\u0410dmin' }, 'name'],
      [`/api/clients/${client.id}`, clientInput('\u0410cme Plumbing of Ohio Inc.'), 'name'],
      [`/api/users/${user.id}`, person({ password: '', username: '\u0441lientA', fullName: 'Own Name' }), 'username'],
      [
        `/api/users/${user.id}`,
        person({ password: '', username: 'own.name', fullName: 'Full \u0441lientA' }),
        'fullName',
      ],
    ];
    for (const [path, body, field] of changes) {
      const refused = await app.admin.put<ErrorBody>(path, body);
      expect([path, refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([path, 409, [field]]);
    }
    // Its own name in another form is not a new name, and looks like no other name.
    for (const name of ['Reviewer', 'REVIEWER', 'R\u0435viewer']) {
      expect([name, (await app.admin.put(`/api/roles/${role.id}`, { name })).status]).toEqual([name, 200]);
    }
    const moved = clientInput('Own name Ltd', { stateId: 'ME-2' });
    expect((await app.admin.put(`/api/clients/${client.id}`, moved)).status).toBe(200);
  });

  it('G16: older names are read and used as they are; editing requires a clean name', async () => {
    const { id, caller } = await addUser(app, 'old.account', firm.roles.bookkeeper);
    await app.database.transaction(async (tx) => {
      const kept = { username: 'clientA\u200b', username_key: 'clienta\u200b', full_name: 'Full clientA\u200b' };
      await tx.updateTable('users').set(kept).where('id', '=', id).execute();
    });
    const found = (await app.admin.get<{ id: number; username: string }[]>('/api/users')).body;
    expect(found.find((user) => user.id === id)?.username).toBe('clientA\u200b');
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    await app.login('clientA\u200b', PASSWORD);
    const put = (username: string, fullName: string) =>
      app.admin.put<ErrorBody>(`/api/users/${id}`, person({ password: '', username, fullName }));
    const refused = await put('clientA\u200b', 'Full clientA\u200b');
    expect([refused.status, refused.body.fields]).toEqual([400, { username: UNSEEN, fullName: UNSEEN }]);
    expect((await put('old.account', 'Full old.account')).status).toBe(200);
  });

  it('G16: an existing name is shown only to those who reach what it names', async () => {
    const role = await addRole(app, 'Client keeper', ['clients.manage']);
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: null };
    const { caller } = await addUser(app, 'keeper', role, lists);
    const { body: far } = await give('client', '\u0410cme Plumbing of Ohio Inc.', caller);
    expect([far.code, far.message]).toEqual([
      'name_looks_like',
      'This name looks like one that exists already. Please choose one that cannot be mistaken for it.',
    ]);
    const { body: near } = await give('client', 'H\u0430rbor & Pine Bakery LLC', caller);
    expect(near.message).toContain('"Harbor & Pine Bakery LLC"');
  });

  it.each(WAYS)('G16: of two created at the same moment that look alike one is refused (%s)', async (what) => {
    for (let round = 0; round < 5; round += 1) {
      // As user names, whose full names are the same.
      const pair = [`Twin ${what} ${round}`, `\u0422win ${what} ${round}`];
      const answers = await Promise.all(
        pair.map((name, nth) =>
          what === 'full name'
            ? app.admin.post('/api/users', person({ username: `twin.${round}.${nth}`, fullName: name }))
            : give(what, name),
        ),
      );
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409]);
    }
  });
});
