// One odd request as a recipe, and the bytes that it becomes.
import { gzipSync } from 'node:zlib';
import { api, type EndpointName } from '#contract/api.ts';
import type { Firm } from '../firm.ts';
import { goodBodies, type NameWithBody } from '../good-requests.ts';
import { jsonText, type Odd } from './odd.ts';

/** How the text of a body becomes bytes. */
export const ENCODINGS = ['utf8', 'bom', 'utf16le', 'latin1', 'broken-utf8', 'cut', 'twice', 'gzip'] as const;
/** How the end of the body is marked. */
export const FRAMINGS = ['length', 'chunked', 'none', 'short', 'long', 'both', 'bad-chunk', 'not-a-number'] as const;
export type Framing = (typeof FRAMINGS)[number];

export type Part = { readonly head: string; readonly text: string };

export type Body =
  | { readonly nothing: true }
  /** The good body with odd values in some fields. */
  | { readonly good: Readonly<Record<string, Odd | 'left out'>> }
  | { readonly whole: Odd }
  | { readonly text: string }
  | { readonly form: readonly (readonly [string, string])[] }
  | { readonly parts: readonly Part[] };

export interface OddRequest {
  readonly method: string;
  readonly id: string;
  /** What follows the path. */
  readonly behind: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The content type; null leaves it out. */
  readonly type: string | null;
  readonly encoding: (typeof ENCODINGS)[number];
  readonly framing: Framing;
}

/** A request as it goes over the wire. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly framing: Framing;
}

export const BOUNDARY = 'fuzz-1a2b3c';

function textOf(name: EndpointName, firm: Firm, body: Body): string {
  if ('nothing' in body) return '';
  if ('text' in body) return body.text;
  if ('whole' in body) return jsonText(body.whole);
  if ('form' in body) return body.form.map(([key, value]) => `${escaped(key)}=${escaped(value)}`).join('&');
  if ('parts' in body) {
    const parts = body.parts.map(({ head, text }) => `--${BOUNDARY}\r\n${head}\r\n\r\n${text}\r\n`);
    return `${parts.join('')}--${BOUNDARY}--\r\n`;
  }
  const good = goodBodies[name as NameWithBody](firm) as Record<string, unknown>;
  const kept = Object.entries(good).filter(([key]) => !Object.hasOwn(body.good, key));
  const members = kept.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  for (const [key, odd] of Object.entries(body.good)) {
    if (odd !== 'left out') members.push(`${JSON.stringify(key)}:${jsonText(odd)}`);
  }
  return `{${members.join(',')}}`;
}

function encoded(text: string, encoding: OddRequest['encoding']): Buffer {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text);
    case 'bom':
      return Buffer.from(`\ufeff${text}`);
    case 'utf16le':
    case 'latin1':
      return Buffer.from(text, encoding);
    case 'broken-utf8':
      return Buffer.concat([
        Buffer.from(text.slice(0, 2)),
        Buffer.from([0xff, 0xc0, 0xaf, 0xed]),
        Buffer.from(text.slice(2)),
      ]);
    case 'cut':
      return Buffer.from(text.slice(0, Math.floor(text.length / 2)));
    case 'twice':
      return Buffer.from(text + text);
    case 'gzip':
      return gzipSync(text);
  }
}

/** Bytes that need no escaping in an address, the rest escaped; a lone surrogate as the replacement character. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

/** The bytes of `request`, sent to `name` with the token of a viewer or none. */
export function wireOf(
  name: EndpointName,
  { firm }: { readonly firm: Firm },
  request: OddRequest,
  token: string | null,
): Wire {
  const query = request.query.map(([key, value]) => `${escaped(key)}=${escaped(value)}`).join('&');
  const path = api[name].path.replace('{id}', () => request.id) + request.behind;
  return {
    method: request.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(request.type === null || 'nothing' in request.body ? {} : { 'content-type': request.type }),
      ...(request.encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
      ...request.headers,
    },
    body: encoded(textOf(name, firm, request.body), request.encoding),
    framing: request.framing,
  };
}
