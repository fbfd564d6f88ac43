// What every answer to an odd request must be: a refusal of the contract, or what the contract promises.
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import { refusalFault } from '../refusal.ts';
import type { Reply } from './send.ts';
import type { Wire } from './wire.ts';

/** The most that a refused request may be answered with, in bytes. */
const REFUSAL_MAX_BYTES = 64 * 1024;

function parsed(text: string): { json: unknown } | null {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Whether `wire` requests the endpoint itself, and not a neighbouring address. */
function asksFor(endpoint: Endpoint, { method, path }: Wire): boolean {
  const [own = ''] = path.split('?', 1);
  const pattern = new RegExp(`^${endpoint.path.replace('{id}', '[^/;#%]+')}$`);
  return method === endpoint.method && pattern.test(own);
}

function successFault(name: EndpointName, { status, headers, body }: Reply): string | null {
  const endpoint: Endpoint = api[name];
  const partly = endpoint.answer === 'bytes' && (status === 206 || status === 304);
  if (status !== endpoint.status && !partly) return `status ${status} instead of ${endpoint.status}`;
  if (endpoint.answer === 'nothing') return body.length === 0 ? null : 'says something where nothing is to be said';
  if (endpoint.output === undefined) return null;
  const read = parsed(body.toString());
  if (read === null) return 'is not JSON';
  const parsedAnswer = endpoint.output.safeParse(read.json);
  if (!parsedAnswer.success) return `is not what the contract promises: ${parsedAnswer.error.message.slice(0, 300)}`;
  if (endpoint.answer === 'list' && !/^\d+$/.test(headers.get('x-total-count') ?? '')) return 'gives no total';
  return null;
}

/** What is wrong with the answer to an odd request; null when nothing is. */
export function answerFault(name: EndpointName, wire: Wire, reply: Reply | null): string | null {
  if (reply === null) {
    // Where the request ends halfway, there may be nobody left to answer.
    return wire.framing === 'long' ? null : 'was not answered';
  }
  const { status, body } = reply;
  if (!(status >= 200 && status < 500)) return `status ${status}: ${body.toString().slice(0, 200)}`;
  if (status >= 400) {
    if (body.length > REFUSAL_MAX_BYTES) return `a refusal (${status}) of ${body.length} bytes`;
    if (wire.method === 'HEAD') return null;
    const read = parsed(body.toString());
    if (read === null) return `status ${status}, is not JSON: ${body.toString().slice(0, 200)}`;
    return refusalFault(status, read.json);
  }
  return asksFor(api[name], wire) ? successFault(name, reply) : null;
}
