// The server's log: one JSON object a line, whatever text of strangers is in it, and which lines are Fastify's.
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify';

type LoggerOptions = NonNullable<FastifyServerOptions['logger']>;

/** Characters that JSON allows and that end a line, steer a terminal or reverse the order of letters. */
const STEERING = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/** The same object in plain characters: everything else that steers, such as ESC, JSON has escaped already. */
function plainLine(line: string): string {
  return line.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The logger's options, with these characters escaped in its lines. */
export function plainLogger(options: LoggerOptions | undefined = false): LoggerOptions {
  return typeof options === 'object' ? { ...options, hooks: { streamWrite: plainLine } } : options;
}

/** Fastify's own lines: none of each request, which is told by `request-lines.ts`, and one of an answer that a fault of ours broke off. */
export class FaultLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error & { readonly code?: string }, _request: FastifyRequest, reply: FastifyReply): void {
    // Its reader went.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    reply.log.error({ err: error }, 'an answer broke off');
  }
}
