// What every refusal must look like: the contract's error and nothing of the program behind it.
import { type ErrorBody, errorCatalogue } from '#contract/errors.ts';
import type { Answer } from './test-app.ts';

/** What belongs to the program and not to a person: places in code, engines, statements. */
const GIVES_AWAY = /\bat \S+ \(|\.[jt]s:\d|node_modules|sqlite|postgres|select .* from|insert into|\[object/i;

export const givesAway = (sentence: string): boolean => GIVES_AWAY.test(sentence);

/** What is wrong with the body of a refusal that came with `status`; null when nothing is. */
export function refusalFault(status: number, body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return `is not an object: ${String(body).slice(0, 80)}`;
  const { message, code, requestId, fields, ...more } = body as ErrorBody;
  if (Object.keys(more).length > 0) return `also says ${Object.keys(more)}`;
  if (typeof message !== 'string' || message.trim().length < 5) return `says ${String(message).slice(0, 80)}`;
  if (givesAway(message)) return `gives away: ${message.slice(0, 200)}`;
  if (errorCatalogue[code]?.status !== status) return `code ${code} with status ${status}`;
  if (!/^[0-9a-f-]{36}$/.test(requestId)) return `requestId ${requestId}`;
  const texts = Object.values(fields ?? {});
  if (fields !== undefined && (texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === ''))) {
    return `fields ${JSON.stringify(fields).slice(0, 200)}`;
  }
  return null;
}

/** How a call was refused: its status, and its code. */
export const refused = ({ status, body }: Pick<Answer<ErrorBody>, 'status' | 'body'>) => [status, body.code];
