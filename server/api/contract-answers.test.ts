// What the mounted routes answer, against the contract: its status, its fields and no others, and no secret in them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { type ErrorBody, errorCatalogue } from '#contract/errors.ts';
import type { AnsweredName, AnswersOf } from '../testing/contract/answers.ts';
import { batchesAnswers } from '../testing/contract/batches-answers.ts';
import { startContractFirm } from '../testing/contract/contract-firm.ts';
import { endpointNames, endpointOf } from '../testing/contract/endpoints.ts';
import { filesAnswers } from '../testing/contract/files-answers.ts';
import { firmAnswers } from '../testing/contract/firm-answers.ts';
import { keptFilesAnswers } from '../testing/contract/kept-files-answers.ts';
import { peopleAnswers } from '../testing/contract/people-answers.ts';
import { requestsAnswers } from '../testing/contract/requests-answers.ts';
import { systemAnswers } from '../testing/contract/system-answers.ts';
import type { Firm } from '../testing/firm.ts';
import type { TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';

/** Every key of a JSON value, at any depth. */
function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}

/** Every text in a JSON value, at any depth, without the digests of files. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/\b[0-9a-f]{64}\b/g, '')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** How tokens, tickets, keys of authenticator apps and recovery codes look, whatever their field is called. */
const LOOKS_RANDOM = /(?=\S*\d)(?=\S*[a-z])[\w-]{40,}|[A-Z2-7]{26,}|\b[a-z0-9]{4,5}(-[a-z0-9]{4,5}){3,}\b/;

const isSecret = (key: string) =>
  /password|hash|secret|recovery/i.test(key) && !['sha256', 'mustChangePassword'].includes(key);

/** Every endpoint but those of SAFEGUARDS=on. */
const answered = endpointNames.filter((name): name is AnsweredName => endpointOf(name).safeguardsOnly !== true);

describe.each(DATABASE_KINDS)('the mounted contract on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let done: AnswersOf<Record<AnsweredName, unknown>>;
  beforeAll(async () => {
    ({ app, firm } = await startContractFirm(kind));
    const met = { app, firm };
    done = {
      ...peopleAnswers(met),
      ...firmAnswers(met),
      ...filesAnswers(met),
      ...keptFilesAnswers(met),
      ...batchesAnswers(met),
      ...requestsAnswers(met),
      ...systemAnswers(met),
    };
  });
  afterAll(() => app.close());

  describe('answers', () => {
    it.each(answered)('A19: of %s are as the contract says, and hold no secret', async (name) => {
      const [status, call] = done[name];
      const answer = await call();
      expect({ status: answer.status, said: status === answer.status || answer.body }).toEqual({
        status,
        said: true,
      });
      expect(endpointOf(name).status).toBe(status);
      const { answer: kindOfAnswer } = endpointOf(name);
      const output: ZodType | undefined = endpointOf(name).output;
      switch (kindOfAnswer) {
        case 'nothing':
          expect(answer.body).toBeUndefined();
          break;
        case 'list':
          expect(Number(answer.headers.get('x-total-count'))).toBe((answer.body as unknown[]).length);
          break;
        case 'document':
          expect(answer.headers.get('content-type')?.split(';')[0]).toBe(endpointOf(name).contentType);
          break;
        default:
          expect(answer.body).toBeDefined();
      }
      // Parsing an answer with its schema changes nothing: nothing is missing and nothing is added.
      if (output) expect(output.parse(answer.body)).toEqual(answer.body);
      // The description names the fields that are sent, passwords among them; it holds none.
      if (name !== 'docs.openapi') expect(keysOf(answer.body).filter(isSecret)).toEqual([]);
      if (endpointOf(name).holdsNoSecret && !name.startsWith('docs.')) {
        expect(textsOf(answer.body).filter((text) => LOOKS_RANDOM.test(text))).toEqual([]);
      }
    });

    it('of every kind of refusal hold a message, a code, a request id and at most the faulty fields', async () => {
      const refusals = [
        await app.anonymous.get('/api/clients'),
        await app.anonymous.post('/api/auth/login', { username: 'cpa', password: 'wrong' }),
        await app.admin.post('/api/users', { password: 'x', passwordHash: 'x' }),
        await firm.viewers.clientA.delete(`/api/users/${firm.users.cpa}`),
        await firm.viewers.clientA.get(`/api/files/${firm.files.f2.id}`),
        await app.admin.post('/api/roles', { name: 'admin' }),
        await app.admin.send('POST', '/api/roles', 'not an object'),
      ];
      expect(refusals.map(({ status }) => status)).toEqual([401, 401, 400, 403, 404, 409, 400]);
      for (const { body, headers } of refusals) {
        const { message, code, requestId, fields, ...more } = body as ErrorBody;
        expect(more).toEqual({});
        expect(errorCatalogue[code]).toBeDefined();
        expect(message).toMatch(/\S/);
        expect(requestId).toMatch(/\S/);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        for (const fault of Object.values(fields ?? {})) expect(fault).toMatch(/\S/);
        expect(JSON.stringify(body)).not.toMatch(/argon2|\bat .+:\d+:\d+/);
      }
    });
  });
});
