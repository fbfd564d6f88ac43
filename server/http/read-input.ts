// Validates a request by the contract's schemas, and collects every fault with its field.
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint } from '#contract/api.ts';
import { FAULTS_MAX, type FieldFaults, refuse, refuseFields } from '#contract/errors.ts';

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

function collectFaults(error: z.ZodError, into: FieldFaults): void {
  let left = FAULTS_MAX;
  const add = (path: string, sentence: string) => {
    into[path] ??= sentence;
    left -= 1;
  };
  for (const issue of error.issues) {
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

/** The declared parts of a request, validated. Throws `invalid` with every fault of every part. */
export function readInput(endpoint: Endpoint, request: FastifyRequest): Record<Source, unknown> {
  const faults = noFaults();
  const input: Partial<Record<Source, unknown>> = {};
  if (endpoint.body && (request.body === undefined || request.body === null || typeof request.body !== 'object')) {
    throw refuseFields({ body: 'The body must be a JSON object' });
  }
  for (const source of ['params', 'query', 'body'] as const) {
    const schema = endpoint[source];
    if (schema === undefined) continue;
    refuseExcess(request[source], source);
    refuseInheritedKeys(request[source], faults);
    const result = schema.safeParse(request[source]);
    if (result.success) input[source] = result.data;
    else collectFaults(result.error, faults);
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
  if (result.error) collectFaults(result.error, faults);
  throw refuseFields(faults);
}
