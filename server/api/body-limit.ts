// How long a JSON body may be: computed for each endpoint from its own schema.
import type { Endpoint } from '#contract/api.ts';
import { sentSchema } from './json-schema.ts';

/** Where no body is declared: some clients send `{}` or `null` with every POST. */
export const NO_BODY_BYTES = 1024;
/** Several times what most endpoints need. */
const SMALL_BYTES = 16 * 1024;

/** `\u0041`, for one UTF-16 unit. */
const LONGEST_UNIT_BYTES = 6;
/** Text of a fixed form, such as base64url, needs no escaping; further fields that are ignored may come with it. */
const UNIT_OF_FORM_BYTES = 2;
/** Sixteen digits, with the indentation of a list that was printed to be read. */
const SCALAR_BYTES = 24;

interface Node {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

const longest = (text: string) => text.length * LONGEST_UNIT_BYTES + SCALAR_BYTES;

/** Throws where the schema sets no bound, so that an endpoint without one does not start. */
function bytesMax(node: Node, path: string): number {
  const choices = node.anyOf ?? node.oneOf;
  if (choices) return Math.max(...choices.map((choice) => bytesMax(choice, path)));
  if (node.enum) return Math.max(...node.enum.map((choice) => longest(String(choice))));
  switch (node.type) {
    case 'object':
      return Object.entries(node.properties ?? {}).reduce(
        (sum, [key, value]) => sum + longest(key) + bytesMax(value, `${path}.${key}`),
        SCALAR_BYTES,
      );
    case 'array':
      if (node.items === undefined || node.maxItems === undefined) break;
      return SCALAR_BYTES + node.maxItems * bytesMax(node.items, `${path}[]`);
    case 'string':
      if (node.maxLength === undefined) break;
      return SCALAR_BYTES + node.maxLength * (node.pattern === undefined ? LONGEST_UNIT_BYTES : UNIT_OF_FORM_BYTES);
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return SCALAR_BYTES;
  }
  throw new Error(`The body has no bound at ${path}`);
}

/** Schemas never change, and a process may build many applications. */
const measured = new WeakMap<NonNullable<Endpoint['body']>, number>();

function bytesOf(body: NonNullable<Endpoint['body']>, path: string): number {
  const known = measured.get(body);
  if (known !== undefined) return known;
  const bytes = bytesMax(sentSchema(body) as Node, path);
  measured.set(body, bytes);
  return bytes;
}

/** The most bytes of JSON that `endpoint` reads. */
export function bodyLimitOf({ body, bodyBytesMax, path }: Endpoint): number {
  if (body === undefined) return NO_BODY_BYTES;
  const needed = Math.max(SMALL_BYTES, bytesOf(body, path));
  return Math.min(needed, bodyBytesMax ?? needed);
}
