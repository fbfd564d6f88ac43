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

/** The schema of what a caller sends, with everything it refers to in its place: for those who measure it. */
export function sentSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...sent } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    unrepresentable: 'any',
  });
  return sent;
}

/** Replaces what `schema` holds. */
function become(schema: JsonSchema, other: JsonSchema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, other);
}

/** Whole numbers go as far as JavaScript counts exactly; readers in other languages need to know that 32 bits are too few. */
function describeInteger(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum !== Number.MAX_SAFE_INTEGER) return;
  delete schema.maximum;
  schema.format = 'int64';
}

type Direction = 'input' | 'output';

/**
 * Text that becomes a number is described as that number: it is one to the caller, and text only on its way. An answer may get further
 * fields one day, so that none is described as closed.
 */
function describeAsRead(zodSchema: z.core.$ZodType, schema: JsonSchema, io: Direction): void {
  const { def } = zodSchema._zod as z.core.$ZodTypeInternals & { def: { type: string; out?: z.ZodType } };
  if (io === 'input' && def.type === 'pipe' && def.out !== undefined) {
    const { schema: read } = describedSchema(def.out, io);
    if (read.type === 'integer') become(schema, read);
  }
  if (io === 'output' && def.type === 'object') delete schema.additionalProperties;
  if (schema.type === 'integer') describeInteger(schema);
  const [first, second, ...others] = Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [];
  if (first !== undefined && others.length === 0 && JSON.stringify(first) === JSON.stringify(second)) {
    delete schema.anyOf;
    Object.assign(schema, first);
  }
  Object.assign(schema, z.globalRegistry.get(zodSchema as z.ZodType));
}

interface Described {
  readonly schema: JsonSchema;
  /** What `schema` and its parts refer to, by `#/$defs/<name>`. */
  readonly shapes: Readonly<Record<string, JsonSchema>>;
}

/** Shapes by the ids that others refer to them by. */
export type NamedShapes = z.core.$ZodRegistry<{ readonly id: string } & Record<string, unknown>>;

/** The schema as readers of the API see it, as JSON Schema 2020-12; what is in `named` is referred to by its id. */
export function describedSchema(schema: z.ZodType, io: Direction, named: NamedShapes = z.registry()): Described {
  const {
    $schema: _dialect,
    $defs: shapes = {},
    ...described
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    metadata: named,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => describeAsRead(zodSchema, jsonSchema as JsonSchema, io),
  });
  return { schema: described, shapes: shapes as Record<string, JsonSchema> };
}
