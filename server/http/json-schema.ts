// The contract's schemas as JSON Schema: for Fastify's compiled serializers and for the OpenAPI document.
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** Writes `null` as a second type where it can, because a serializer handles that far faster than `anyOf`. */
function flattenNullable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(flattenNullable);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, flattenNullable(value)]);
  const schema = Object.fromEntries(entries) as JsonSchema;
  const choices = schema.anyOf;
  if (!Array.isArray(choices) || choices.length !== 2) return schema;
  const [first, second] = choices as [JsonSchema, JsonSchema];
  if (second.type !== 'null' || typeof first.type !== 'string' || first.type === 'object') return schema;
  const { enum: _values, ...rest } = first;
  return { ...rest, type: [first.type, 'null'] };
}

/** The schema Fastify compiles an answer's serializer from. Fields it does not name never leave the server. */
export function serializerSchema(output: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(output, { target: 'draft-7', io: 'output' });
  return flattenNullable(schema) as JsonSchema;
}

/** The schema as the API's description shows it: what is sent (`input`) or answered (`output`). */
export function describedSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
  });
  return described;
}
