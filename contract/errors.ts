// Every error code with its status and its sentence: the only place that knows either.
import { BATCH_FILES_MAX } from './batch-words.ts';
import type { JobState } from './job-states.ts';
import { counted, endedSentence, NOT_FOUND } from './plain-words.ts';
import { ITEM_FILES_MAX } from './request-words.ts';

/** An entry of the catalogue: `Facts` is what its sentence is made of. */
interface Fault<Facts extends readonly unknown[] = readonly [never]> {
  readonly status: number;
  readonly sentence: string | ((...facts: Facts) => string);
}

function ago(minutes: number): string {
  if (minutes < 1) return 'less than a minute ago';
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${counted(hours, 'hour')} ago` : `${counted(Math.floor(hours / 24), 'day')} ago`;
}

export const errorCatalogue = {
  invalid: { status: 400, sentence: 'The request is not valid.' },
  checksum_mismatch: { status: 400, sentence: 'The file arrived damaged and was not kept. Please send it again.' },
  unauthenticated: { status: 401, sentence: 'Please sign in.' },
  bad_credentials: { status: 401, sentence: 'Invalid username or password' },
  wrong_code: { status: 401, sentence: 'This code or passkey is not right. Please try again.' },
  challenge_over: { status: 401, sentence: 'This sign-in took too long or was tried too often. Please start again.' },
  set_up_over: { status: 409, sentence: 'This key has expired. Please start again to get a new one.' },
  wrong_password: { status: 400, sentence: 'The current password is not right.' },
  forbidden: { status: 403, sentence: 'You do not have permission to do this.' },
  password_change_required: { status: 403, sentence: 'Please choose a new password first.' },
  look_reads_only: {
    status: 403,
    sentence: (facts: { as: string }) => `You are looking as ${facts.as}. Nothing can be changed here.`,
  },
  reauth_required: { status: 403, sentence: 'Please confirm first that it is you.' },
  not_found: { status: 404, sentence: NOT_FOUND },
  invitation_invalid: {
    status: 404,
    sentence: 'This invitation link is not valid. It was used already, withdrawn, or replaced by a newer one.',
  },
  invitation_expired: { status: 410, sentence: 'This invitation has expired. Please ask for a new one.' },
  password_link_expired: {
    status: 410,
    sentence: 'This link has expired. Ask for a new one by "Forgot password" on the sign-in page.',
  },
  too_slow: { status: 408, sentence: 'The data arrived too slowly and was not kept. Please try again.' },
  username_taken: { status: 409, sentence: 'This username is already taken.' },
  role_name_taken: { status: 409, sentence: 'A role with this name already exists.' },
  report_type_name_taken: { status: 409, sentence: 'A report type with this name already exists.' },
  name_looks_like: {
    status: 409,
    sentence: (facts: { name: string | null }) =>
      `This name looks like ${facts.name === null ? 'one that exists' : `"${facts.name}", which exists`} already. Please choose one that cannot be mistaken for it.`,
  },
  role_built_in: { status: 409, sentence: 'Built-in roles cannot be renamed, edited or deleted.' },
  role_in_use: {
    status: 409,
    sentence: (facts: { users: number | null }) =>
      `This role is ${facts.users === null ? 'still assigned to users' : `assigned to ${counted(facts.users, 'user')}`}. Give them another role first.`,
  },
  report_type_in_use: {
    status: 409,
    sentence: (facts: { files: number | null }) =>
      `This report type is ${facts.files === null ? 'still used by files' : `used by ${counted(facts.files, 'file')}`}. Delete or re-file them first.`,
  },
  phrase_taken: {
    status: 409,
    /** Null where it is not for this person to know. */
    sentence: (facts: { phrase: string; reportType: string | null }) =>
      `${facts.reportType ?? 'Another report type'} has the phrase "${facts.phrase}" already. Remove it there first.`,
  },
  last_admin: {
    status: 409,
    sentence: 'The last Admin who can sign in cannot be deleted, invited anew or given another role.',
  },
  own_account: { status: 409, sentence: 'You cannot delete your own account.' },
  own_password: {
    status: 409,
    sentence: 'Change your own password under Account Settings, where the current one is asked for.',
  },
  last_factor: { status: 409, sentence: 'This is the last second factor. Set up another one first.' },
  passkey_address: {
    status: 409,
    sentence: 'Passkeys do not work at this address. Open the portal by its name instead of by numbers.',
  },
  job_ended: { status: 409, sentence: 'This job has ended already.' },
  job_not_ended: {
    status: 409,
    /** Of two who press, the second one reads that it goes on. */
    sentence: ({ state }: { state: JobState }) => {
      if (state === 'waiting') return 'This job is already waiting to run.';
      if (state === 'running') return 'This job is already running.';
      return 'Only a job that failed or was canceled can be run again.';
    },
  },
  mail_off: { status: 409, sentence: 'Mail is not set up. Ask an Admin, whose Mail page says how.' },
  ending_link_invalid: {
    status: 404,
    sentence: 'This link is not valid. Open the one in the newest mail, or choose under Account Settings.',
  },
  mail_not_failed: { status: 409, sentence: 'Only a mail that failed or waits for another try can be tried again.' },
  archives_max: { status: 409, sentence: 'You have as many prepared ZIPs as may be. Remove one first.' },
  archive_not_ready: { status: 409, sentence: 'This ZIP is not ready.' },
  archive_outdated: {
    status: 409,
    sentence: 'A file in this ZIP was deleted or is no longer yours to see. Prepare it again.',
  },
  names_another_client: {
    status: 409,
    sentence: (facts: { named: string; chosen: string }) =>
      endedSentence(`This document names ${facts.named}, not ${facts.chosen}`),
  },
  batch_not_adding: { status: 409, sentence: 'This batch is being read. Make a new batch for further files.' },
  batch_files_max: {
    status: 409,
    sentence: `A batch holds at most ${BATCH_FILES_MAX} files. Make a new batch for the others.`,
  },
  batch_empty: { status: 409, sentence: 'This batch has no files yet. Add some first.' },
  batch_not_in_review: { status: 409, sentence: 'This batch cannot be changed now: it is not in review.' },
  document_not_open: { status: 409, sentence: 'This document was released meanwhile. Recall it to change it.' },
  file_being_read: {
    status: 409,
    sentence: 'This file is being read. Decide about it once its documents are proposed.',
  },
  document_incomplete: {
    status: 409,
    sentence: 'A document needs a client and a report type before it is accepted. Select them first.',
  },
  four_eyes: {
    status: 409,
    sentence: 'You accepted these documents yourself. Four eyes are on: somebody else releases them.',
  },
  nothing_accepted: { status: 409, sentence: 'No document is accepted. Accept some first, then release them.' },
  nothing_released: { status: 409, sentence: 'None of these documents is released.' },
  batch_released: { status: 409, sentence: 'Documents of this batch are released. Recall them first.' },
  already_restored: { status: 409, sentence: 'This was restored already.' },
  client_in_trash: {
    status: 409,
    sentence:
      'The client of this file is in the trash. Restore the client first, or choose another client for the file.',
  },
  client_name_taken: {
    status: 409,
    /** Null where that client is not for this person to know. */
    sentence: (facts: { federalId: string | null }) =>
      `Another client${facts.federalId === null ? '' : `, with the federal ID ${facts.federalId},`} has this name by now. Restore this one from the trash under another name, or rename that client first.`,
  },
  restored_user_taken: {
    status: 409,
    /** Null where it is not for this person to know. */
    sentence: (facts: { username: string | null }) =>
      facts.username === null
        ? 'The username or name of one of its users is somebody else’s by now. Somebody who sees all users can restore the client with other names.'
        : `The username or name of its user "${facts.username}" is somebody else’s by now. Restore the client from the trash with other names, or rename that user first.`,
  },
  report_type_gone: {
    status: 409,
    sentence: 'The report type of this file was deleted meanwhile. Choose another one, or restore the file without.',
  },
  on_hold: {
    status: 409,
    sentence: (facts: { what: string; act: string }) => `${facts.what} is on hold and cannot be ${facts.act}.`,
  },
  already_on_hold: { status: 409, sentence: 'This is on hold already.' },
  hold_lifted: { status: 409, sentence: 'This hold was lifted already.' },
  opened_meanwhile: {
    status: 409,
    sentence: 'Somebody has opened this report, so it cannot be taken back. Ask somebody who may delete it.',
  },
  take_back_over: {
    status: 409,
    sentence: 'A report can be taken back within a day of its upload. Ask somebody who may delete it.',
  },
  request_closed: { status: 409, sentence: 'This request is closed. Staff of the firm can reopen it.' },
  request_item_accepted: { status: 409, sentence: 'This item is accepted already. Nothing more is needed for it.' },
  request_item_files_max: {
    status: 409,
    sentence: `At most ${ITEM_FILES_MAX} files are sent for one item. Put what is left into one file, or ask your firm for another item.`,
  },
  request_item_unanswered: { status: 409, sentence: 'Nothing was sent for this item that waits to be accepted.' },
  request_template_name_taken: { status: 409, sentence: 'A template with this name already exists.' },
  gone_meanwhile: { status: 409, sentence: 'This changed while you were working on it. Reload and try again.' },
  changed_meanwhile: {
    status: 412,
    /** Each null where it is not known, or not for this person to know. */
    sentence: ({ by, minutesAgo }: { by: string | null; minutesAgo: number | null }) => {
      const known = `${by === null ? '' : ` by ${by}`}${minutesAgo === null ? '' : ` ${ago(minutesAgo)}`}`;
      return `This was changed${known === '' ? '' : `${known},`} while you were working on it.`;
    },
  },
  too_large: { status: 413, sentence: 'The request is larger than this server accepts.' },
  file_too_large: {
    status: 413,
    sentence: (facts: { maxBytes: number }) =>
      `The file is larger than ${facts.maxBytes < 10_486 ? counted(facts.maxBytes, 'byte') : `${(facts.maxBytes / 1024 / 1024).toFixed(2)} MB`}, the most this server accepts.`,
  },
  unsupported_type: { status: 415, sentence: 'This content type is not accepted here.' },
  range_not_satisfiable: { status: 416, sentence: 'The requested range lies outside the file.' },
  idempotency_mismatch: {
    status: 422,
    sentence: 'This Idempotency-Key was already used for a different upload.',
  },
  headers_too_large: { status: 431, sentence: 'The request headers are too large.' },
  too_many: { status: 429, sentence: 'Too many attempts. Please wait a moment and try again.' },
  locked_out: {
    status: 429,
    sentence: (facts: { minutes: number }) =>
      `Too many attempts. Please try again in ${counted(facts.minutes, 'minute')}, or ask your firm to set a new password for you.`,
  },
  internal: { status: 500, sentence: 'Internal Server Error' },
  integrity: { status: 500, sentence: 'The stored file is missing or damaged. Please contact support.' },
  busy: { status: 503, sentence: 'The server is busy. Please try again in a moment.' },
  unavailable: { status: 503, sentence: 'The service is temporarily unavailable. Please try again in a moment.' },
  storage_full: { status: 507, sentence: 'There is no space left to store this file. Please contact support.' },
} as const satisfies Record<string, Fault>;

export type ErrorCode = keyof typeof errorCatalogue;

type Catalogue = typeof errorCatalogue;
/** The facts a code's sentence needs; codes with a fixed sentence need none. */
export type FactsOf<Code extends ErrorCode> = Catalogue[Code]['sentence'] extends (facts: infer Facts) => string
  ? [facts: Facts]
  : [];

/** What is wrong with each field, by its path (`clientIds.2`). */
export type FieldFaults = Record<string, string>;

export interface ErrorBody {
  message: string;
  code: ErrorCode;
  requestId: string;
  fields?: FieldFaults;
  /** Of `names_another_client`: the client that is named, where it is one and within reach. */
  namedClient?: NamedClient;
}

export interface NamedClient {
  readonly id: number;
  readonly name: string;
}

/** An error answer. Thrown anywhere on the server, answered in one place. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly fields: FieldFaults | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly namedClient: NamedClient | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { fields?: FieldFaults; retryAfterSeconds?: number; namedClient?: NamedClient; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.namedClient = more.namedClient;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** The refusal for `code`, with the sentence of the catalogue. */
export function refuse<Code extends ErrorCode>(code: Code, ...facts: FactsOf<Code>): Refusal {
  // The one entry of `code`, whose facts are those of its own sentence.
  const { sentence } = errorCatalogue[code] as Fault<FactsOf<Code>>;
  const message = typeof sentence === 'string' ? sentence : sentence(...facts);
  return new Refusal(code, message, retryOf(code));
}

function retryOf(code: ErrorCode): { retryAfterSeconds?: number } {
  const { status } = errorCatalogue[code];
  return status === 503 || status === 429 ? { retryAfterSeconds: 1 } : {};
}

/** The refusal of what may be done again after so long, which is said where it is more than a minute. */
export function refuseTooMany(retryAfterSeconds: number): Refusal {
  const { code, message } = refuse('too_many');
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const words = minutes > 1 ? `Too many attempts. Please try again in ${counted(minutes, 'minute')}.` : message;
  return new Refusal(code, words, { retryAfterSeconds });
}

/** The refusal of a document that names another client: `client` where it is one that may be told. */
export function refuseAnotherClient(
  client: NamedClient | null,
  facts: { readonly named: string; readonly chosen: string },
): Refusal {
  const { code, message } = refuse('names_another_client', facts);
  return new Refusal(code, message, client === null ? {} : { namedClient: client });
}

/** The refusal of what another call may do that gives these fields: which they are, and why. */
export function refuseUnless(code: 'client_in_trash' | 'report_type_gone' | 'not_found', fields: FieldFaults): Refusal {
  return new Refusal(code, refuse(code).message, { fields });
}

/** The refusal with its cause: the log sees the cause, the answer does not. */
export function refuseCausedBy<Code extends ErrorCode>(cause: unknown, code: Code, ...facts: FactsOf<Code>): Refusal {
  const refusal = refuse(code, ...facts);
  return new Refusal(code, refusal.message, { cause, ...retryOf(code) });
}

/** An answer names at most this many faults: nobody fixes more at once, and a caller must not be able to order a long answer. */
export const FAULTS_MAX = 20;
const FIELD_LENGTH_MAX = 100;
const SENTENCE_LENGTH_MAX = 300;

/** The refusal for input with faults: its message is every fault's sentence, once each. Names the first `FAULTS_MAX`. */
export function refuseFields(fields: FieldFaults): Refusal {
  const named = Object.entries(fields)
    .slice(0, FAULTS_MAX)
    .map(([field, sentence]) => [field.slice(0, FIELD_LENGTH_MAX), sentence.slice(0, SENTENCE_LENGTH_MAX)] as const);
  const sentences = [...new Set(named.map(([, sentence]) => sentence))];
  const message = sentences.join(' · ') || errorCatalogue.invalid.sentence;
  return new Refusal('invalid', message, { fields: Object.fromEntries(named) });
}
