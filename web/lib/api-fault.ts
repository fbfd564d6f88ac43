// The fault of a failed call: how it is read from an answer, and what of it is for a person or a form.
import type { ErrorBody, ErrorCode, FieldFaults, NamedClient } from '#contract/errors.ts';
import { unknownReason } from './messages.ts';

/** A failed call; `status` 0 means that no answer came. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';
  readonly status: number;
  readonly code: ErrorCode | undefined;
  readonly fields: FieldFaults;
  readonly requestId: string | undefined;
  /** The client that a document names in place of the chosen one. */
  readonly namedClient: NamedClient | undefined;
  /** The text of the status line; empty where there was none. */
  readonly statusText: string;
  /** Whether the message is the server's own (docs/behaviour.md, Errors). */
  readonly hasServerMessage: boolean;

  constructor(
    status: number,
    message: string,
    more: {
      code?: ErrorCode | undefined;
      fields?: FieldFaults | undefined;
      requestId?: string | undefined;
      namedClient?: NamedClient | undefined;
      statusText?: string;
      hasServerMessage?: boolean;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = more.code;
    this.fields = more.fields ?? {};
    this.requestId = more.requestId;
    this.namedClient = more.namedClient;
    this.statusText = more.statusText ?? '';
    this.hasServerMessage = more.hasServerMessage ?? false;
  }
}

/** The fault of a failed answer: the server's own message, else `wordless`, else `<status>: <body or status text>`. */
export function readFault(status: number, statusText: string, body: string, wordless?: string): ApiFault {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer === 'object' && answer !== null && 'message' in answer && typeof answer.message === 'string') {
      const { message, ...more } = answer as Pick<ErrorBody, 'message'> & Partial<ErrorBody>;
      return new ApiFault(status, message, { ...more, statusText, hasServerMessage: message !== '' });
    }
  } catch {
    // Not JSON: a proxy or a gateway answered in the server's place.
  }
  if (wordless !== undefined) return new ApiFault(status, wordless);
  const text = body.trim();
  const readable = text !== '' && text.length <= 300 && !text.startsWith('<');
  return new ApiFault(status, `${status}: ${readable ? text : statusText || 'no answer'}`, { statusText });
}

/** The text for a person about `error`: its message, or 'Unknown error' for anything but an Error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : unknownReason;
}

/** The server's faults by field, ready for a form's `setErrors`; empty for every other failure. */
export function fieldFaultsOf(error: unknown): FieldFaults {
  return error instanceof ApiFault ? error.fields : {};
}
