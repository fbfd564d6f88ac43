// How answers are written: one compiled serializer for each schema of the contract, made when it is first needed.
import fastJson from 'fast-json-stringify';
import type { z } from 'zod';
import { inTurns } from '../platform/db/list.ts';
import { serializerSchema } from './json-schema.ts';

type Serialize = (answer: unknown) => string;

const compiled = new WeakMap<z.ZodType, Serialize>();

function compile(output: z.ZodType): Serialize {
  const serialize = fastJson(serializerSchema(output));
  compiled.set(output, serialize);
  return serialize;
}

/** Writes answers of this schema. Fields it does not name never leave the server. */
export const serializerOf =
  (output: z.ZodType): Serialize =>
  (answer) =>
    (compiled.get(output) ?? compile(output))(answer);

/** A list as `serialize` writes it, some rows at a time: others are served in between. */
export async function listInTurns(rows: readonly unknown[], serialize: Serialize): Promise<string> {
  return `[${(await inTurns(rows, (row) => serialize([row]).slice(1, -1))).join()}]`;
}
