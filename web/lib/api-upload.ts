// Sending a file to the server, the one way for bytes (docs/decisions/0084): apart from the other calls, because a first page sends none.
import type { EndpointName, Output } from '#contract/api.ts';
import { apiUrl, authorizationHeader, type Fields, noticeUnauthenticated } from './api.ts';
import { ApiFault, readFault } from './api-fault.ts';
import { noticeUnreachable } from './connection.ts';
import { failed, unreachable } from './messages.ts';
import { serverAnswers } from './server-answers.ts';
import { expiredUser, getSession, noticeUse, signedInAgain } from './session.ts';
import { askForProof } from './step-up.ts';
import { noticeWork } from './work.ts';

/** Progress is told in steps that can be seen. */
const STEP = 0.02;

export interface UploadOptions {
  /** Told how much has left, from 0 to 1, which `fetch` cannot say. */
  readonly onSent: (share: number) => void;
  /** Fields of the form; they go before the file. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The same upload sent twice under one key becomes one file. */
  readonly idempotencyKey?: string;
  /** Stops what is being sent. */
  readonly signal?: AbortSignal;
}

/** A key for `idempotencyKey`. Not `randomUUID`, which a page served without TLS lacks. */
export function freshKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends a file; throws ApiFault, also where it was stopped. */
export async function callUpload<Name extends EndpointName>(
  name: Name,
  params: Fields,
  file: File,
  options: UploadOptions,
): Promise<Output<Name>> {
  const person = (getSession()?.user ?? expiredUser())?.id;
  // Of several files the next one may begin after the session has ended: it would travel in vain.
  const isTheirs = getSession() !== null || person === undefined || (await signedInAgain(person));
  if (!isTheirs || options.signal?.aborted) throw new ApiFault(401, failed.uploadReason);
  try {
    return (await send(apiUrl(name, params), file, options)) as Output<Name>;
  } catch (error) {
    const goesOn = error instanceof ApiFault && (await maySendAgain(error, person));
    if (!goesOn || options.signal?.aborted) throw error;
    return callUpload(name, params, file, options);
  }
}

/** Whether what was refused is sent again: to replace a file is to delete one, which may ask for the second factor; and a session may end meanwhile. */
async function maySendAgain({ code }: ApiFault, person: number | undefined): Promise<boolean> {
  if (code === 'reauth_required') return askForProof();
  return code === 'unauthenticated' && person !== undefined && signedInAgain(person);
}

const unreadableFile =
  'This file cannot be read: it was changed, moved or deleted meanwhile, or it is a folder. Please remove it and choose it again.';

/** A file that was changed, moved or deleted since it was chosen ends a call just as a network that is gone does; so does a folder. */
async function whyUnanswered(file: File): Promise<ApiFault> {
  const isReadable = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
  if (isReadable) noticeUnreachable(serverAnswers);
  return new ApiFault(0, isReadable ? unreachable : unreadableFile);
}

function send(url: string, file: File, options: UploadOptions): Promise<unknown> {
  const { onSent, fields = {}, idempotencyKey, signal } = options;
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const { Authorization: authorization } = authorizationHeader();
    xhr.open('POST', url);
    if (authorization !== undefined) xhr.setRequestHeader('Authorization', authorization);
    if (idempotencyKey !== undefined) xhr.setRequestHeader('Idempotency-Key', idempotencyKey);
    let told = 0;
    xhr.upload.onprogress = ({ loaded, total }) => {
      // The server judges the session once more when all is there: it must not have ended under a file that takes long.
      noticeWork();
      const share = total === 0 ? 0 : loaded / total;
      if (share < 1 && share - told < STEP) return;
      told = share;
      onSent(share);
    };
    xhr.onerror = () => void whyUnanswered(file).then(reject);
    xhr.onabort = () => reject(new ApiFault(0, unreachable));
    xhr.onload = () => {
      const { status, statusText, responseText } = xhr;
      const answer = status === 201 ? parsed(responseText) : undefined;
      // To the server it was a use: many files in a row must not end as an idle session.
      if (status === 201 && authorization === authorizationHeader().Authorization) noticeUse();
      if (answer !== undefined) return resolve(answer);
      noticeUnauthenticated(status, authorization);
      reject(readFault(status, statusText, responseText, failed.uploadReason));
    };
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append('file', file);
    signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}

/** Undefined for what is no JSON: something between here and the server answered in its place. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
