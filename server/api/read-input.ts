// Validates a request by the contract's schemas, and collects every fault with its field.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint } from '#contract/api.ts';
import { FAULTS_MAX, type FieldFaults, refuse, refuseFields } from '#contract/errors.ts';
import { IMPORT_ROWS_MAX } from '#contract/imports.ts';

/** No endpoint's input comes near any of these. */
const DEPTH_MAX = 32;
const KEYS_MAX = 64;
const VALUES_MAX = 25_000;

/** Refuses what is too deep, too wide or too long before a validator lists everything that is wrong with it. */
function refuseExcess(value: unknown, source: Source): void {
  let values = 0;
  const walk = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null) return;
    if (depth >= DEPTH_MAX) throw refuse('invalid');
    const entries: unknown[] = Array.isArray(node) ? node : Object.values(node);
    if (!Array.isArray(node) && entries.length > KEYS_MAX) throw refuseFields({ [source]: 'Has too many fields' });
    values += entries.length;
    if (values > VALUES_MAX) throw refuseFields({ [source]: 'Has too many entries' });
    for (const entry of entries) walk(entry, depth + 1);
  };
  walk(value, 0);
}

type Issue = z.core.$ZodIssue;

function collectFaults(issues: readonly Issue[], into: FieldFaults): void {
  let left = FAULTS_MAX;
  const add = (path: string, sentence: string) => {
    into[path] ??= sentence;
    left -= 1;
  };
  for (const issue of issues) {
    if (left <= 0) return;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add([...issue.path, key].join('.'), unknownField(key));
      continue;
    }
    add(issue.path.join('.') || 'body', issue.message);
  }
}

type Source = 'params' | 'query' | 'body';

const noFaults = (): FieldFaults => Object.create(null) as FieldFaults;

/** Keys that every object inherits are no field of any endpoint, but validators would find them. */
function refuseInheritedKeys(value: unknown, faults: FieldFaults): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) if (key in Object.prototype) faults[key] = unknownField(key);
}

const unknownField = (key: string) => `Unknown field: ${key.slice(0, 60)}`;

/** Rows of a list that are validated in one go, in a millisecond or two. */
const ROWS_AT_ONCE = 50;

/** The same as `schema.safeParse`, in pieces where the body is a list of many rows, so that others are served in between. */
async function parseRows(schema: z.ZodType, body: unknown): Promise<{ data?: unknown; issues: readonly Issue[] }> {
  const { rows } = body as { rows?: unknown };
  // One that is too long is refused whole.
  const isLong = Array.isArray(rows) && rows.length > ROWS_AT_ONCE && rows.length <= IMPORT_ROWS_MAX;
  if (!isLong) {
    const { data, error } = schema.safeParse(body);
    return { data, issues: error?.issues ?? [] };
  }
  const read: unknown[] = [];
  const issues: Issue[] = [];
  let shell = {};
  for (let start = 0; start < rows.length && issues.length < FAULTS_MAX; start += ROWS_AT_ONCE) {
    await nextTurn();
    const { data, error } = schema.safeParse({ ...(body as object), rows: rows.slice(start, start + ROWS_AT_ONCE) });
    shell = (data ?? {}) as object;
    read.push(...((data as { rows?: unknown[] } | undefined)?.rows ?? []));
    for (const issue of error?.issues ?? []) {
      const [list, row, ...rest] = issue.path;
      const isOfRow = list === 'rows' && typeof row === 'number';
      issues.push(isOfRow ? { ...issue, path: [list, row + start, ...rest] } : issue);
    }
  }
  return { data: { ...shell, rows: read }, issues };
}

/** The declared parts of a request, validated. Throws `invalid` with every fault of every part. */
export async function readInput(
  endpoint: Endpoint,
  request: Pick<FastifyRequest, Source>,
): Promise<Record<Source, unknown>> {
  const faults = noFaults();
  const input: Partial<Record<Source, unknown>> = {};
  const given = endpoint.bodyMayBeAbsent && request.body === undefined ? {} : request.body;
  if (endpoint.body && (given === undefined || given === null || typeof given !== 'object')) {
    throw refuseFields({ body: 'The body must be a JSON object' });
  }
  for (const source of ['params', 'query', 'body'] as const) {
    const schema = endpoint[source];
    if (schema === undefined) continue;
    const sent = source === 'body' ? given : request[source];
    refuseExcess(sent, source);
    refuseInheritedKeys(sent, faults);
    if (source === 'body' && endpoint.bodyBytesMax !== undefined) {
      const { data, issues } = await parseRows(schema, request.body);
      input[source] = data;
      collectFaults(issues, faults);
      continue;
    }
    const result = schema.safeParse(sent);
    if (result.success) input[source] = result.data;
    else collectFaults(result.error.issues, faults);
  }
  if (Object.keys(faults).length > 0) throw refuseFields(faults);
  return input as Record<Source, unknown>;
}

/** The text fields of an upload, validated the same way. */
export function readFields<Schema extends z.ZodType>(schema: Schema, fields: Record<string, string>): z.output<Schema> {
  const faults = noFaults();
  refuseInheritedKeys(fields, faults);
  const result = schema.safeParse({ ...fields });
  if (result.success && Object.keys(faults).length === 0) return result.data;
  if (result.error) collectFaults(result.error.issues, faults);
  throw refuseFields(faults);
}
