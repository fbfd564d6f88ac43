// What an endpoint is, and the parts that many have.
import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { IdText } from '../fields.ts';
import { IMPORT_BYTES_MAX, ImportResult } from '../imports.ts';
import type { Action } from '../policy/rights.ts';

/**
 * How an endpoint answers: one JSON value, a bare array with `X-Total-Count`, nothing (204), the bytes of a file,
 * a document made for this answer (a CSV, a ZIP), a stream of server-sent events, or a page of HTML.
 */
export type Answer = 'value' | 'list' | 'nothing' | 'bytes' | 'document' | 'events' | 'html';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/api/${string}`;
  /** The action of `policy/rights.ts` that guards this route; `public` ones need no token. */
  readonly action: Action;
  readonly summary: string;
  /** The body comes as a form (`application/x-www-form-urlencoded` or `multipart/form-data`), and nothing in it is read. */
  readonly takesForm?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The body may be left out, which means `{}`. */
  readonly bodyMayBeAbsent?: true;
  /** What `body` is with SAFEGUARDS=on, where that asks for more. */
  readonly strictBody?: z.ZodType;
  /** Where its schema allows more than anyone needs: the most bytes of JSON that are read. */
  readonly bodyBytesMax?: number;
  /** The fields of a multipart upload next to its one file. */
  readonly upload?: z.ZodType;
  readonly answer: Answer;
  readonly output?: z.ZodType;
  /** What one message of a stream holds, as JSON. */
  readonly message?: z.ZodType;
  /** Of a document made for this answer. */
  readonly contentType?: 'text/csv' | 'application/zip' | 'application/pdf';
  /** Such a document as data, where the request may ask for that. */
  readonly data?: z.ZodType;
  readonly status: 200 | 201 | 204;
  /** Its answer holds no token, code or other secret, so it may leave compressed; any other leaves as it is. */
  readonly holdsNoSecret?: true;
  /** It changes the row whose version may be sent as `If-Match`; it may then answer `changed_meanwhile`. */
  readonly matchesVersion?: true;
  /** Sent again with the same `Idempotency-Key` it does nothing more. */
  readonly doneOnce?: true;
  /** A call of it is no use of the session: programs repeat it by themselves, and a session that nobody uses ends. */
  readonly keepsNothingAlive?: true;
  /** It is there with SAFEGUARDS=on alone; elsewhere it answers `not_found`. */
  readonly safeguardsOnly?: true;
  /** It changes nothing but the look itself, so that somebody who looks as another person may call it although it is no GET. */
  readonly readsOnly?: true;
  /** Its own errors. Every endpoint may also answer `invalid`, `unauthenticated`, `too_large`, `too_slow`, `unsupported_type`, `internal`, `busy`, `unavailable`, `storage_full`. */
  readonly errors: readonly ErrorCode[];
}

/** How fields are named whose value opens something. */
type SecretName = `${string}${
  | 'token'
  | 'ticket'
  | 'secret'
  | 'password'
  | 'challenge'
  | 'credential'
  | 'cookie'
  | 'recoverycodes'}${string}`;

/** The fields of an answer, however deep, that are named like a secret and can hold one. */
type SecretFields<Value> = Value extends readonly (infer Item)[]
  ? SecretFields<Item>
  : Value extends object
    ? {
        [Key in keyof Value & string]: Lowercase<Key> extends SecretName
          ? // Yes and no are no secret.
            Value[Key] extends boolean
            ? never
            : Key
          : SecretFields<Value[Key]>;
      }[keyof Value & string]
    : never;

type SecretFree<Output extends z.ZodType> = [SecretFields<z.output<Output>>] extends [never]
  ? unknown
  : { readonly 'may not be compressed, because of': SecretFields<z.output<Output>> };

export const byId = z.strictObject({ id: IdText });
export const noQuery = z.strictObject({});

export const value = <Output extends z.ZodType>(output: Output) => ({ answer: 'value', status: 200, output }) as const;
export const created = <Output extends z.ZodType>(output: Output) =>
  ({ answer: 'value', status: 201, output }) as const;
/** Like `value`, for an answer that holds no secret: one with a field that is named like one does not compile. */
export const openValue = <Output extends z.ZodType>(output: Output & SecretFree<Output>) =>
  ({ ...value(output as Output), holdsNoSecret: true }) as const;
/** Rows of the portal's data: like `openValue`, one with a secret does not compile. */
export const list = <Row extends z.ZodType>(row: Row & SecretFree<Row>) =>
  ({ answer: 'list', status: 200, output: z.array(row as Row), holdsNoSecret: true }) as const;
export const nothing = { answer: 'nothing', status: 204 } as const;
export const bytes = { answer: 'bytes', status: 200 } as const;
export const table = { answer: 'document', status: 200, contentType: 'text/csv', holdsNoSecret: true } as const;
/** Like `value`, a message holds no secret; it leaves as it is all the same, since nothing of it may wait. */
export const events = <Message extends z.ZodType>(message: Message & SecretFree<Message>) =>
  ({ answer: 'events', status: 200, message: message as Message }) as const;
export const certificate = <Data extends z.ZodType>(data: Data & SecretFree<Data>) =>
  ({ answer: 'document', status: 200, contentType: 'application/pdf', data: data as Data }) as const;
export const archive = { answer: 'document', status: 200, contentType: 'application/zip' } as const;

export const safeguardsOnly = { safeguardsOnly: true } as const;
export const keepsNothingAlive = { keepsNothingAlive: true } as const;
export const readsOnly = { readsOnly: true } as const;
export const matchesVersion = { matchesVersion: true } as const;
export const doneOnce = { doneOnce: true } as const;

/** Many rows at once, all or none. */
export const rowsAtOnce = { bodyBytesMax: IMPORT_BYTES_MAX, ...openValue(ImportResult) } as const;
