// Reads what a request brings through the contract's schemas, and collects every fault with its field.
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint } from '#contract/api.ts';
import { type FieldFaults, refuse, refuseFields } from '#contract/errors.ts';

const DEPTH_MAX = 32;

/** Deeply nested JSON costs a validator more than it is worth; no endpoint takes more than a list in an object. */
function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= DEPTH_MAX) return true;
  return Object.values(value).some((entry) => isTooDeep(entry, depth + 1));
}

function collectFaults(error: z.ZodError, into: FieldFaults): void {
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) into[[...issue.path, key].join('.')] ??= unknownField(key);
      continue;
    }
    into[issue.path.join('.') || 'body'] ??= issue.message;
  }
}

type Source = 'params' | 'query' | 'body';

const noFaults = (): FieldFaults => Object.create(null) as FieldFaults;

/** Keys that every object has are no field of any endpoint; validators look such keys up where they are always found. */
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
  if (endpoint.body && isTooDeep(request.body)) throw refuse('invalid');
  for (const source of ['params', 'query', 'body'] as const) {
    const schema = endpoint[source];
    if (schema === undefined) continue;
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
