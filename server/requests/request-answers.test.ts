// What clients answer, over HTTP: item by item, accepted or sent back, each file for its item and once.
import { describe, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import { ITEM_FILES_MAX } from '#contract/request-words.ts';
import { CANARY, type Firm } from '../testing/firm.ts';
import { requestFirm } from '../testing/request-firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';

describe.each(DATABASE_KINDS)('what clients answer, on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let cpa: Caller;
  let client: Caller;
  const { dayIn, of, aRequest, list, send, sayNot, decide, accept, sendBack, log, said } = requestFirm(kind, (met) => {
    ({ app, firm, cpa, client } = met);
  });

  it('staff ask, the client answers each item, staff accept or send back, and then it is done', async () => {
    const { id, items } = await aRequest();
    const [statements, forms] = items;
    expect(await log(1)).toEqual([['Requested', 'Requested Year-end package (2 items)']]);
    expect((await list(client)).find((row) => row.id === id)).toMatchObject({
      clientName: 'Harbor & Pine Bakery LLC',
      dueOn: dayIn(10),
      state: 'open',
      items: 2,
      owed: 2,
      toReview: 0,
      askedByName: 'Full cpa',
    });

    const first = await send(client, statements, { name: 'january.txt' });
    expect([first.status, first.body.state, first.body.files.map(({ name, place }) => [name, place])]).toEqual([
      201,
      'sent',
      [['january.txt', 'here']],
    ]);
    // It is a document of that client like any other: found by staff, new to them, and in the log.
    const { body: files } = await cpa.get<FileRow[]>(
      `/api/files?clientId=${firm.clients[0]}&fileType=company_document`,
    );
    expect(files.find((file) => file.originalName === 'january.txt')).toMatchObject({
      clientId: firm.clients[0],
      documentType: 'Supporting Document',
      isNew: true,
    });
    // Staff are told where it names another client, as of any upload.
    const judged = await app.database.reader.selectFrom('files_to_judge').select('file_id').execute();
    expect(judged.map((row) => row.file_id)).toContain(first.body.files[0]?.fileId);
    expect(await log(2)).toEqual([
      ['Sent', 'Sent for Year-end package, Bank statements: january.txt'],
      ['Uploaded', 'Uploaded file: january.txt'],
    ]);
    await send(client, statements, { name: 'february.txt' });
    const not = await sayNot(client, forms, 'We paid no contractors');
    expect([not.status, not.body.state, not.body.saidNot, not.body.answer]).toEqual([
      200,
      'doesNotApply',
      true,
      'We paid no contractors',
    ]);
    expect((await of(cpa, id)).request).toMatchObject({ owed: 0, toReview: 2 });

    const back = await sendBack(cpa, statements);
    expect([back.body.state, back.body.reason]).toEqual(['sentBack', 'The second page is missing']);
    expect((await of(client, id)).request).toMatchObject({ owed: 1, toReview: 1, state: 'open' });
    const again = await send(client, statements, { name: 'whole.txt' });
    expect([again.body.state, again.body.reason]).toEqual(['sent', '']);
    // What was sent before stays.
    expect(again.body.files.map(({ name }) => name)).toEqual(['january.txt', 'february.txt', 'whole.txt']);

    expect((await accept(cpa, statements)).body.state).toBe('accepted');
    expect((await of(cpa, id)).request.state).toBe('open');
    expect((await accept(cpa, forms)).body).toMatchObject({ state: 'accepted', saidNot: true });
    expect((await of(client, id)).request).toMatchObject({ state: 'done', owed: 0, toReview: 0 });
    expect((await log(6)).map(([label]) => label)).toEqual([
      'Accepted',
      'Accepted',
      'Sent',
      'Uploaded',
      'Sent back',
      'Does not apply',
    ]);
    expect(said(await send(client, statements))).toEqual([409, 'request_item_accepted']);
    expect(said(await sayNot(client, statements))).toEqual([409, 'request_item_accepted']);
    // What was accepted by mistake is sent back, and the request is open again.
    expect((await sendBack(cpa, forms, 'You did, in May')).status).toBe(200);
    expect((await of(client, id)).request).toMatchObject({ state: 'open', owed: 1 });
  });

  it('only what was answered is accepted or sent back, and only with a reason', async () => {
    const { items } = await aRequest();
    expect(said(await accept(cpa, items[0]))).toEqual([409, 'request_item_unanswered']);
    expect(said(await sendBack(cpa, items[0]))).toEqual([409, 'request_item_unanswered']);
    await send(client, items[0]);
    const silent = await decide(cpa, items[0], { decision: 'sendBack', reason: ' ' });
    expect([silent.status, silent.body.fields]).toEqual([400, { reason: 'Please say what is wrong' }]);
  });

  it('of two at once the later one is told: accepting what was sent anew since it was read, and sending what is accepted', async () => {
    const { items } = await aRequest();
    const { body: read } = await send(client, items[0]);
    app.advance(1000);
    await send(client, items[0], { name: 'newer.txt' });
    const late = await accept(cpa, items[0], read.version);
    expect(said(late)).toEqual([412, 'changed_meanwhile']);
    const { items: now } = await of(cpa, (await list(cpa, '?sort=-createdAt&limit=1'))[0]?.id);
    expect((await accept(cpa, items[0], now[0]?.version)).status).toBe(200);

    const both = await aRequest();
    await send(client, both.items[0]);
    const answers = await Promise.all([
      accept(cpa, both.items[0]),
      send(client, both.items[0]),
      accept(app.admin, both.items[0]),
    ]);
    const after = (await of(cpa, both.id)).items[0];
    const sentLate = answers[1];
    expect(after?.files).toHaveLength(sentLate.status === 201 ? 2 : 1);
    expect([201, 409]).toContain(sentLate.status);
    expect(answers[0].status === 200 || answers[2].status === 200).toBe(true);
  });

  it('G105: the same upload sent twice is one file for one item, and a key used for another item is refused', async () => {
    const { id, items } = await aRequest();
    const once = await send(client, items[0], { key: 'one', bytes: 'same', name: 'same.txt' });
    const twice = await send(client, items[0], { key: 'one', bytes: 'same', name: 'same.txt' });
    expect([once.status, twice.status, twice.body.files.length]).toEqual([201, 201, 1]);
    const other = await send(client, items[1], { key: 'one', bytes: 'same', name: 'same.txt' });
    expect(said(other)).toEqual([422, 'idempotency_mismatch']);
    expect(other.body.files).toBeUndefined();
    const { body: plain } = await client.upload<FileRow>({
      fields: { clientId: firm.clients[0], fileType: 'company_document', documentType: 'Supporting Document' },
      bytes: 'plain',
      headers: { 'idempotency-key': 'two' },
    });
    expect(said(await send(client, items[1], { key: 'two', bytes: 'plain' }))).toEqual([422, 'idempotency_mismatch']);
    expect(plain.id).toBeGreaterThan(0);
    // No field says where it goes: the item does.
    const fields = { clientId: firm.clients[1] };
    const told = await client.upload({ path: `/api/request-items/${items[1].id}/files`, fields });
    expect(told.status).toBe(400);
    // An answer that was lost is given again, however the file was filed and whatever became of the item since. Nothing else is taken.
    const late = (more: { key?: string; bytes?: string } = {}) =>
      send(client, items[0], { key: 'one', bytes: 'same', name: 'same.txt', ...more });
    const filed = { documentType: 'Tax Return', period: '2026' };
    expect((await app.admin.put(`/api/files/${once.body.files[0]?.fileId}`, filed)).status).toBe(200);
    const refiled = await late();
    expect([refiled.status, refiled.body.files]).toEqual([201, once.body.files]);
    expect(said(await late({ bytes: 'other' }))).toEqual([422, 'idempotency_mismatch']);
    expect((await accept(cpa, items[0])).status).toBe(200);
    const accepted = await late();
    expect([accepted.status, accepted.body.state, accepted.body.files]).toEqual([201, 'accepted', once.body.files]);
    expect(said(await late({ key: 'three' }))).toEqual([409, 'request_item_accepted']);
    await cpa.post(`/api/requests/${id}/close`);
    const closed = await late();
    expect([closed.status, closed.body.files]).toEqual([201, once.body.files]);
    expect(said(await late({ key: 'three' }))).toEqual([409, 'request_closed']);
    expect(said(await late({ bytes: 'other' }))).toEqual([422, 'idempotency_mismatch']);
  });

  it('takes a hundred files for one item, and the last one again where its answer was lost', async () => {
    const { items } = await aRequest();
    const sent = (nth: number) => ({
      item_id: items[0].id,
      file_id: 1_000_000 + nth,
      name: `receipt ${nth}.txt`,
      sent_at: app.now(),
      sent_by_name: 'Full clientA',
    });
    const rows = Array.from({ length: ITEM_FILES_MAX - 1 }, (_, nth) => sent(nth));
    await app.database.transaction((tx) => tx.insertInto('request_item_files').values(rows).execute());
    const last = { key: 'last', bytes: 'the last', name: 'last.txt' };
    expect((await send(client, items[0], last)).status).toBe(201);
    expect((await send(client, items[0], last)).body.files).toHaveLength(ITEM_FILES_MAX);
    expect(said(await send(client, items[0]))).toEqual([409, 'request_item_files_max']);
    expect((await send(client, items[1])).status).toBe(201);
    expect((await accept(cpa, items[0])).status).toBe(200);
  });

  it('that an item does not apply is said once, also where it is sent again, until it is sent back', async () => {
    const { id, items } = await aRequest();
    const once = await sayNot(client, items[0], 'We had none');
    expect(once.status).toBe(200);
    const entries = await log(2);
    expect(entries[0]?.[0]).toBe('Does not apply');
    const [twice, together] = await Promise.all([
      sayNot(client, items[0], 'We had none'),
      sayNot(client, items[0], 'We had none'),
    ]);
    expect([twice, together].map(({ status, body }) => [status, body])).toEqual([
      [200, once.body],
      [200, once.body],
    ]);
    expect(await log(2)).toEqual(entries);
    // In other words it is another answer.
    const reworded = await sayNot(client, items[0], 'We had none this year');
    expect([reworded.status, reworded.body.answer]).toEqual([200, 'We had none this year']);
    expect((await accept(cpa, items[0])).status).toBe(200);
    const late = await sayNot(client, items[0], 'We had none this year');
    expect([late.status, late.body.state]).toEqual([200, 'accepted']);
    expect(said(await sayNot(client, items[0], 'We had one'))).toEqual([409, 'request_item_accepted']);
    expect((await sendBack(cpa, items[0], 'You had one')).status).toBe(200);
    expect((await sayNot(client, items[0], 'We had none this year')).body.state).toBe('doesNotApply');
    expect((await of(cpa, id)).request).toMatchObject({ owed: 1, toReview: 1 });
  });

  it('that an item does not apply is not said over what a colleague has sent since it was read', async () => {
    const { id, items } = await aRequest();
    const [read] = (await of(client, id)).items;
    app.advance(1000);
    await send(client, items[0], { name: 'colleague.txt' });
    const entries = await log(2);
    expect(said(await sayNot(client, items[0], 'We had none', read?.version))).toEqual([412, 'changed_meanwhile']);
    const [now] = (await of(client, id)).items;
    expect([now?.state, now?.saidNot]).toEqual(['sent', false]);
    expect(await log(2)).toEqual(entries);
    const seen = await sayNot(client, items[0], 'We had none', now?.version);
    expect([seen.status, seen.body.state]).toEqual([200, 'doesNotApply']);
    // Whose answer was lost says it again as it was read then.
    expect((await sayNot(client, items[0], 'We had none', now?.version)).body).toEqual(seen.body);
  });

  it('G106: what is deleted or filed out of sight shows so on the item, and names nothing of where it is', async () => {
    const { id, items } = await aRequest();
    const { body: first } = await send(client, items[0], { name: 'kept.txt' });
    const { body: second } = await send(client, items[0], { name: 'moved.txt' });
    const [kept, moved] = [first.files[0]?.fileId, second.files[1]?.fileId];
    expect((await client.delete(`/api/files/${kept}`)).status).toBe(204);
    const places = async (by: Caller) => (await of(by, id)).items[0]?.files.map(({ name, place }) => [name, place]);
    expect(await places(client)).toEqual([
      ['kept.txt', 'gone'],
      ['moved.txt', 'here'],
    ]);
    await app.admin.put(`/api/files/${moved}`, { clientId: firm.clients[1], originalName: `${CANARY} moved.txt` });
    expect(await places(client)).toEqual([
      ['kept.txt', 'gone'],
      ['moved.txt', 'gone'],
    ]);
    expect(await places(app.admin)).toEqual([
      ['kept.txt', 'gone'],
      [`${CANARY} moved.txt`, 'elsewhere'],
    ]);
    expect((await client.post(`/api/files/${kept}/restore`)).status).toBe(200);
    expect((await places(client))?.[0]).toEqual(['kept.txt', 'here']);
  });

  it('what was replaced shows as the file that took its place, to which it leads, as long as that is in reach', async () => {
    const { id, items } = await aRequest();
    const blurred = { key: 'blurred', name: 'blurred.txt', bytes: 'hardly legible' };
    const { body: sent } = await send(client, items[0], blurred);
    const replaces = sent.files[0]?.fileId ?? 0;
    const fields = { clientId: firm.clients[0], fileType: 'company_document', documentType: 'Supporting Document' };
    const { status, body: newer } = await client.upload<FileRow>({
      name: 'sharp.txt',
      bytes: 'legible at last',
      fields: { ...fields, replaces },
    });
    expect(status).toBe(201);
    // Its answer was lost: sent again it is the same, also where nothing more is taken.
    expect((await send(client, items[0], blurred)).status).toBe(201);
    expect((await accept(cpa, items[0])).status).toBe(200);
    expect((await send(client, items[0], blurred)).body.state).toBe('accepted');
    const files = async (by: Caller) =>
      (await of(by, id)).items[0]?.files.map(({ fileId, name, place }) => [fileId, name, place]);
    for (const by of [client, cpa]) expect(await files(by)).toEqual([[replaces, 'sharp.txt', 'here']]);
    const { body: facts } = await client.get<{ file: FileRow }>(`/api/files/${replaces}/facts`);
    expect(facts.file.id).toBe(newer.id);
    await app.admin.put(`/api/files/${newer.id}`, { clientId: firm.clients[1], originalName: `${CANARY} sharp.txt` });
    expect(await files(client)).toEqual([[replaces, 'blurred.txt', 'gone']]);
    expect(await files(app.admin)).toEqual([[replaces, `${CANARY} sharp.txt`, 'elsewhere']]);
    expect((await app.admin.delete(`/api/files/${newer.id}`)).status).toBe(204);
    expect(await files(app.admin)).toEqual([[replaces, 'blurred.txt', 'gone']]);
  });
});
