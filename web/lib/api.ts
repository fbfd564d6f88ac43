// The one place that talks to the server: every call typed from the contract, every failure an ApiFault.
import { addressOf } from '#contract/addresses.ts';
import type { api, EndpointName, Output, Sent } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiFault, readFault } from './api-fault.ts';
import { noticeReachable, noticeUnreachable } from './connection.ts';
import { dispositionFilename } from './disposition-filename.ts';
import { unreachable } from './messages.ts';
import { serverAnswers } from './server-answers.ts';
import {
  awaitToken,
  expireSession,
  getSession,
  noticeForbidden,
  noticeUse,
  requirePasswordChange,
  type Session,
  sessionRenewed,
  signedInAgain,
  startSession,
  untilSignedOut,
} from './session.ts';
import { askForProof } from './step-up.ts';

/** Paths and queries travel as text, so a number may be used wherever the contract reads digits. */
type Wire<Value> = string extends Exclude<Value, undefined> ? Value | number : Value;
type WireFields<Fields> = { [Key in keyof Fields]: Wire<Fields[Key]> };
type Parts<Name extends EndpointName> = {
  [Key in keyof Sent<Name>]: Key extends 'body' ? Sent<Name>[Key] : WireFields<Sent<Name>[Key]>;
};
type Nothing = Record<string, never>;
/** The parts that may be left out, because nothing in them is required. */
type OptionalKeys<T> = { [Key in keyof T]: Nothing extends T[Key] ? Key : never }[keyof T];

/** What a caller hands to endpoint `Name`: `params`, `query` and `body` as far as it declares them. */
export type CallInput<Name extends EndpointName> = Omit<Parts<Name>, OptionalKeys<Parts<Name>>> &
  Partial<Pick<Parts<Name>, OptionalKeys<Parts<Name>>>>;

type Arguments<Name extends EndpointName> =
  object extends CallInput<Name>
    ? [input?: CallInput<Name>, options?: CallOptions]
    : [input: CallInput<Name>, options?: CallOptions];

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The token of a sign-in that sets up a first second factor; it is sent instead of the session's. */
  readonly bearer?: string | undefined;
  /**
   * Whether it is sent again where the session ended and the same person signs in again, as what changes something is: true for what
   * somebody pressed although it only reads, such as a download.
   */
  readonly pressed?: boolean;
  /** The version of the row that is changed: the call is refused where the row has another one by now. */
  readonly ifMatch?: string | undefined;
  /** What is sent again under the same key is made once. */
  readonly idempotencyKey?: string | undefined;
  /** The server ends this session by it and answers with the one that takes its place, which is taken. */
  readonly renews?: boolean;
}

export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The address of endpoint `name`; query keys without a value are left out. */
export function apiUrl(name: EndpointName, params: Fields = {}, query: Fields = {}): string {
  const path = addressOf(name).path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The bearer header of the present session; empty when signed out. */
export function authorizationHeader(): Record<string, string> {
  const token = getSession()?.token;
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** Ends the current session where the server no longer knows its token; `sent` is the header of the call. */
export function noticeUnauthenticated(status: number, sent: string | undefined): void {
  // An answer to an older token, or to none, says nothing about the session that replaced it.
  const sameSession = sent !== undefined && sent === authorizationHeader().Authorization;
  if (status === 401 && sameSession) expireSession();
}

/** Refusals of a proof; they say nothing about the session. */
const OF_A_PROOF: ReadonlySet<ErrorCode | undefined> = new Set(['bad_credentials', 'wrong_code', 'challenge_over']);

async function request(name: EndpointName, input: object, options: CallOptions): Promise<Response> {
  const { params, query, body } = input as { params?: Fields; query?: Fields; body?: unknown };
  const ofSession = authorizationHeader();
  const person = getSession()?.user.id;
  const authorization = options.bearer === undefined ? ofSession : { Authorization: `Bearer ${options.bearer}` };
  const answered = options.renews ? awaitToken() : () => undefined;
  const isPressed = options.pressed ?? addressOf(name).method !== 'GET';
  const untilLeft = person === undefined || isPressed ? undefined : untilSignedOut();
  const signals = [options.signal, untilLeft].filter((signal) => signal !== undefined);
  const isCalledBack = () => signals.some(({ aborted }) => aborted);
  let response: Response;
  try {
    response = await fetch(apiUrl(name, params, query), {
      method: addressOf(name).method,
      credentials: 'include',
      cache: 'no-store',
      headers: {
        ...authorization,
        ...(options.ifMatch === undefined ? {} : { 'If-Match': `"${options.ifMatch}"` }),
        ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any(signals),
    });
  } catch (error) {
    answered();
    if (isCalledBack()) throw error;
    noticeUnreachable(serverAnswers);
    throw new ApiFault(0, unreachable);
  }
  noticeReachable();
  if (response.ok) {
    if (authorization === ofSession && ofSession.Authorization !== undefined) noticeUse();
    if (options.renews) await takeSession(response.clone()).finally(answered);
    return response;
  }
  answered();
  const fault = readFault(response.status, response.statusText, await response.text().catch(() => ''));
  // Somebody who has just proved who they are need not press the button again.
  if (fault.code === 'reauth_required' && (await askForProof())) return request(name, input, options);
  if (fault.code === 'password_change_required') requirePasswordChange();
  if (fault.code === 'forbidden' && authorization === ofSession) noticeForbidden();
  // Signing out ends the session in which it was pressed: sent again, it would end the one that has taken its place.
  const ended =
    name !== 'session.logout' &&
    fault.code === 'unauthenticated' &&
    authorization === ofSession &&
    person !== undefined;
  if (ended) {
    await sessionRenewed();
    // The session was given another token while this call was on its way with the one before.
    const now = getSession();
    const isRenewed = now?.user.id === person && authorizationHeader().Authorization !== ofSession.Authorization;
    if (isRenewed && !isCalledBack()) return request(name, input, options);
  }
  if (!OF_A_PROOF.has(fault.code)) noticeUnauthenticated(response.status, authorization.Authorization);
  // A call without a session did nothing. What was pressed is sent again, for the same person alone; what is only shown is loaded again by itself.
  if (isPressed && ended && !isCalledBack() && (await signedInAgain(person))) return request(name, input, options);
  throw fault;
}

/** What cannot be read is told by whoever reads the answer. */
async function takeSession(response: Response): Promise<void> {
  const session = await response.json().catch(() => null);
  if (session !== null) startSession(session as Session);
}

/** The stream of changes, as it begins; it is no use of the session. Its status is the caller's to judge. */
export function openChanges(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
  return fetch(apiUrl('changes.follow'), {
    cache: 'no-store',
    signal,
    headers: {
      ...authorizationHeader(),
      Accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
  });
}

/** Calls endpoint `name` and gives its answer; throws ApiFault. */
export async function call<Name extends EndpointName>(name: Name, ...rest: Arguments<Name>): Promise<Output<Name>> {
  const [input = {}, options = {}] = rest;
  const response = await request(name, input, options);
  if (response.status === 204) return undefined as Output<Name>;
  return (await readJson(response)) as Output<Name>;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** How many rows there are on all pages together. */
  readonly total: number;
  /** Whether there are more than were counted. */
  readonly more: boolean;
}

type ListName = {
  [Name in EndpointName]: (typeof api)[Name]['answer'] extends 'list' ? Name : never;
}[EndpointName];
type RowOf<Name extends ListName> = Output<Name> extends readonly (infer Row)[] ? Row : never;

/** One page of list `name` with the total of all pages; throws ApiFault. */
export async function callList<Name extends ListName>(
  name: Name,
  ...rest: Arguments<Name>
): Promise<ListPage<RowOf<Name>>> {
  const [input = {}, options = {}] = rest;
  const response = await request(name, input, options);
  const rows = (await readJson(response)) as RowOf<Name>[];
  const { headers } = response;
  const more = headers.get('X-Total-More') === 'true';
  return { rows, total: Number(headers.get('X-Total-Count') ?? rows.length), more };
}

export interface NamedBlob {
  readonly blob: Blob;
  /** From Content-Disposition; undefined where the server sent no name. */
  readonly filename: string | undefined;
}

type BytesName = {
  [Name in EndpointName]: (typeof api)[Name]['answer'] extends 'bytes' | 'document' ? Name : never;
}[EndpointName];

/** The bytes of a file, a CSV or a ZIP; throws ApiFault. */
export async function callBytes<Name extends BytesName>(
  name: Name,
  input: CallInput<Name>,
  options: CallOptions = {},
): Promise<NamedBlob> {
  const response = await request(name, input, { pressed: true, ...options });
  const filename = dispositionFilename(response.headers.get('Content-Disposition') ?? '');
  return { blob: await whole(response.blob()), filename };
}

/** Whether the browser could save what is at an address by itself, with nothing but the cookie that opens files. */
export async function cookieOpens(name: BytesName, params: Fields): Promise<boolean> {
  try {
    const { ok } = await fetch(apiUrl(name, params), { method: 'HEAD', credentials: 'include', cache: 'no-store' });
    return ok;
  } catch {
    return false;
  }
}

/** The body of an answer. One that breaks off on its way is no answer, and browsers have words for it that say nothing to people. */
async function whole<Body>(body: Promise<Body>): Promise<Body> {
  try {
    return await body;
  } catch (error) {
    // Called back.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noticeUnreachable(serverAnswers);
    throw new ApiFault(0, unreachable);
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await whole(response.text());
  try {
    return JSON.parse(text);
  } catch {
    throw readFault(response.status, response.statusText, text);
  }
}
