// The API's description as others read it: a public linter, a generated client that is type-checked, and examples that are valid.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientInput, type Firm, PASSWORD } from '../testing/firm.ts';
import type { TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { openApiDocument } from './openapi.ts';
import { examples } from './openapi-examples.ts';
import { shapes } from './openapi-shapes.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Inside the clone, so that its packages are found. */
const FOLDER = join(ROOT, 'dist/api-client');
const PROGRAM = join(FOLDER, 'program.ts');

const run = promisify(execFile);

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly schema: unknown }[];
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: { readonly properties?: Record<string, unknown> } }>;
  };
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly components: { readonly schemas: Record<string, unknown> };
  readonly paths: Record<string, Record<string, Operation>>;
}

async function lint(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  return problems.map(({ severity, ruleId, message }) => `${severity}: ${ruleId}: ${message}`);
}

const published = () => openApiDocument('Coffer') as unknown as Document;

describe('the description of the API', () => {
  it('passes the recommended rules of a public linter, without an error and without a warning', async () => {
    expect(await lint(published())).toEqual([]);
    const { servers: _servers, ...without } = published();
    expect(await lint(without)).toEqual([expect.stringContaining('no-empty-servers')]);
  });

  it('names where the server is reached, or that it is where the document was', () => {
    expect(published().servers[0]?.url).toBe('/');
    const { servers } = openApiDocument('Coffer', 'https://portal.example.com') as unknown as Document;
    expect(servers[0]?.url).toBe('https://portal.example.com');
  });

  it('describes numbers as numbers, also where they travel as text', () => {
    const operations = Object.values(published().paths).flatMap((methods) => Object.values(methods));
    const sent = operations.flatMap(({ operationId, parameters, requestBody }) => [
      ...parameters.map(({ name, schema }) => ({ name: `${operationId} ${name}`, schema })),
      ...Object.entries(requestBody?.content['multipart/form-data']?.schema.properties ?? {}).map(([name, schema]) => ({
        name: `${operationId} ${name}`,
        schema,
      })),
    ]);
    const numbers = sent.filter(({ name }) => /( id| limit| offset|Id)$/.test(name));
    expect(numbers.length).toBeGreaterThan(30);
    expect(numbers.filter(({ schema }) => !JSON.stringify(schema).includes('"type":"integer"'))).toEqual([]);
    expect(numbers.filter(({ schema }) => JSON.stringify(schema).includes('"pattern"'))).toEqual([]);
    expect(published().components.schemas.ClientInput).toMatchObject({
      properties: { employeeCount: { type: 'integer', minimum: 0, maximum: 10_000_000 } },
    });
  });

  it('offers an Idempotency-Key where one is read: a batch knows a file by its bytes', () => {
    const operations = Object.values(published().paths).flatMap((methods) => Object.values(methods));
    const offering = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'));
    expect(offering.map(({ operationId }) => operationId).sort()).toEqual([
      'files.upload',
      'requests.create',
      'requests.send-file',
      'users.import',
    ]);
  });

  it('has an example of every shape that people write or read, and each is one', () => {
    for (const [name, example] of Object.entries(examples)) {
      expect(shapes.get(name)?.safeParse(example), name).toMatchObject({ success: true });
    }
    const withoutExample = Object.keys(published().components.schemas).filter((name) => !(name in examples));
    expect(withoutExample.sort()).toEqual([
      'Error',
      // What browsers exchange with authenticators.
      'PasskeyAssertion',
      'PasskeyAttestation',
      'PasskeyCreationOptions',
      'PasskeyRegistration',
      'PasskeyRequestOptions',
    ]);
  });

  it('knows the shapes of every file of the contract that has some', async () => {
    const unknown: string[] = [];
    // Fields are parts of shapes, and calls are made of shapes.
    const parts = ['fields.ts', 'api.ts'];
    for (const file of readdirSync(join(ROOT, 'contract'))) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts') || parts.includes(file)) continue;
      const exported: Record<string, unknown> = await import(`../../contract/${file}`);
      for (const [name, value] of Object.entries(exported)) {
        if (value instanceof z.ZodType && shapes.get(name) !== value) unknown.push(`${file}: ${name}`);
      }
    }
    expect(unknown).toEqual([]);
  });
});

/** The program of docs/api.md. */
function documentedProgram(): string {
  const page = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
  return /```ts\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
}

/** Calls that do not fit the description: the compiler has to refuse each. */
const MISTAKES = `
import createClient from 'openapi-fetch';
import type { paths } from './coffer-api.ts';

const coffer = createClient<paths>();
// @ts-expect-error a number is no text
void coffer.GET('/api/files', { params: { query: { limit: '10' } } });
// @ts-expect-error there is no such column
void coffer.GET('/api/files', { params: { query: { sort: 'colour' } } });
// @ts-expect-error an id is missing
void coffer.GET('/api/files/{id}/facts', {});
// @ts-expect-error a name is missing
void coffer.POST('/api/report-types', { body: {} });
// @ts-expect-error there is no such call
void coffer.GET('/api/nothing', {});
const { error } = await coffer.DELETE('/api/roles/{id}', { params: { path: { id: 1 } } });
// @ts-expect-error deleting a role does not answer this
void (error?.code === 'checksum_mismatch');
`;

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(FOLDER, name), text);
  write('coffer-api.ts', astToString(await openapiTS(JSON.stringify(published()))));
  writeFileSync(PROGRAM, documentedProgram());
  write('mistakes.ts', MISTAKES);
  const compilerOptions = { lib: ['ES2024'], types: ['node'] };
  write('tsconfig.json', JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, include: ['*.ts'] }));
});

describe('a client generated from the description', () => {
  it('compiles in the program of the documentation, and refuses mistakes', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = await run(process.execPath, [tsc, '-p', FOLDER]).catch((fault: { stdout: string }) => fault);
    expect(compiled.stdout).toBe('');
  });
});

describe.each(DATABASE_KINDS)('the program of the documentation, on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  it('signs in, uploads, lists, downloads and reads a refusal', async () => {
    const { body: description } = await app.admin.get('/api/openapi.json');
    expect(description).toEqual(JSON.parse(JSON.stringify(published())));
    const harbor = await app.admin.post<{ id: number }>('/api/clients', clientInput('Harbor & Pine Bakery LLC'));
    const user = { username: 'payroll.import', password: PASSWORD, fullName: 'Payroll Import', roleId: firm.roles.cpa };
    const lists = { clientIds: [harbor.body.id], reportTypeIds: [firm.reportTypes[0]] };
    await app.admin.post('/api/users', { ...user, ...lists });
    const { stdout, stderr } = await run(process.execPath, [PROGRAM], {
      env: { COFFER_URL: app.origin, COFFER_USER: user.username, COFFER_PASSWORD: PASSWORD },
    });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'Signed in as Payroll Import',
      'Stored Journal_2026-11-13.txt with 15 bytes',
      '1 reports, the newest is Journal_2026-11-13.txt',
      'It says: Gross 12,352.50',
      '404 Not found.',
    ]);
  });
});
