// Every endpoint: method, path, action, input, output, errors. The product's index, by room.
import type { z } from 'zod';
import type { EndpointName } from './addresses.ts';
import { auditEndpoints } from './endpoints/audit.ts';
import { batchesEndpoints } from './endpoints/batches.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { filesEndpoints } from './endpoints/files.ts';
import { firmEndpoints } from './endpoints/firm.ts';
import { keptFilesEndpoints } from './endpoints/kept-files.ts';
import { mailEndpoints } from './endpoints/mail.ts';
import { peopleEndpoints } from './endpoints/people.ts';
import { requestsEndpoints } from './endpoints/requests.ts';
import { signInEndpoints } from './endpoints/sign-in.ts';
import { systemEndpoints } from './endpoints/system.ts';
import { isActOfLooks } from './policy/credentials.ts';

export const api = {
  ...signInEndpoints,
  ...peopleEndpoints,
  ...firmEndpoints,
  ...filesEndpoints,
  ...keptFilesEndpoints,
  ...batchesEndpoints,
  ...requestsEndpoints,
  ...auditEndpoints,
  ...mailEndpoints,
  ...systemEndpoints,
} as const satisfies Record<EndpointName, Endpoint>;

export type { Endpoint, EndpointName };

/** Whether somebody who looks as another person may call it: what says that it reads, by its method or by name, and no other. */
export const servesLooks = ({ method, readsOnly, action }: Endpoint): boolean =>
  (method === 'GET' || readsOnly === true) && isActOfLooks(action);

type Part<Name extends EndpointName, Key extends 'params' | 'query' | 'body' | 'upload'> =
  (typeof api)[Name] extends Record<Key, infer Schema extends z.ZodType> ? Schema : undefined;

/** What a caller sends to `Name`: the parts the endpoint declares, before they are read. */
export type Sent<Name extends EndpointName> = {
  [Key in 'params' | 'query' | 'body' as Part<Name, Key> extends z.ZodType ? Key : never]: z.input<
    Extract<Part<Name, Key>, z.ZodType>
  >;
};

/** What the handler of `Name` gets: the same parts, validated. */
export type Received<Name extends EndpointName> = {
  [Key in 'params' | 'query' | 'body' as Part<Name, Key> extends z.ZodType ? Key : never]: z.output<
    Extract<Part<Name, Key>, z.ZodType>
  >;
};

/** What `Name` answers with on success; `undefined` where it answers nothing or bytes. */
export type Output<Name extends EndpointName> = (typeof api)[Name] extends { output: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;
