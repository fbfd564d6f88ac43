// The shapes and refusals of an OpenAPI document, which its operations refer to by name.

import { z } from 'zod';
import { type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import { describedSchema, type NamedShapes } from './json-schema.ts';
import { examples } from './openapi-examples.ts';
import { shapes } from './openapi-shapes.ts';

export type Json = Record<string, unknown>;

const errorBody: Json = {
  type: 'object',
  description: 'Every refusal and every fault.',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', description: 'A sentence for people.' },
    code: { type: 'string', enum: Object.keys(errorCatalogue), description: 'For programs.' },
    requestId: { type: 'string', description: 'Names the request in the log of the server.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong with each field, by its path, such as `clientIds.2`.',
    },
    namedClient: {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
      description: 'Of `names_another_client`: the client that is named, where it is one and within reach.',
    },
  },
  examples: [
    {
      message: errorCatalogue.invalid.sentence,
      code: 'invalid',
      requestId: 'req-1a',
      fields: { name: 'Name must be at least 2 characters' },
    },
  ],
};

export const ANY_BYTES: Json = { contentMediaType: 'application/octet-stream' };

const idsByShape: NamedShapes = z.registry();

for (const [id, shape] of shapes) idsByShape.add(shape, { id });

/** References to shapes, and the shapes that they lead to. */
export class Components {
  readonly schemas: Record<string, Json> = { Error: errorBody };
  readonly responses: Record<string, Json> = {};

  /** The schema of what a caller sends or gets; what has a name is referred to by it. */
  describe(schema: z.ZodType, io: 'input' | 'output'): Json {
    const described = describedSchema(schema, io, idsByShape);
    for (const [name, shape] of Object.entries(described.shapes)) {
      const example = (examples as Record<string, unknown>)[name];
      const whole = { ...this.#refer(shape), ...(example === undefined ? {} : { examples: [example] }) };
      const known = this.schemas[name];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(whole)) {
        throw new Error(`${name} is sent and answered in different forms: it needs a name for each`);
      }
      this.schemas[name] = whole;
    }
    return this.#refer(described.schema);
  }

  /** The answer that says one of `codes`, by reference. */
  refusal(status: number, codes: readonly ErrorCode[]): Json {
    const name = codes.join('.');
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\``).join(', '),
      ...(status === 429 || status === 503
        ? { headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } } }
        : {}),
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Error' },
              { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
            ],
          },
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  #refer(schema: Json): Json {
    return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')) as Json;
  }
}

/** The properties of an object that is described in its place, whether it has a name or not. */
export function propertiesOf(schema: z.ZodType): [name: string, property: Json, required: boolean][] {
  const { properties = {}, required = [] } = describedSchema(schema, 'input').schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => [name, property, required.includes(name)]);
}
