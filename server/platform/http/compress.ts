// Answers compressed while they are sent: which, how, and for whom (docs/decisions/0029-compressed-answers.md).
import { pipeline, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Content codings, by their names in `Accept-Encoding`; the better one first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Below this an answer fits one packet either way. */
const COMPRESSED_FROM_BYTES = 1_024;
/** Up to here an answer is compressed at once, in 0.1 ms at most; a longer one beside the event loop. */
const AT_ONCE_MAX_BYTES = 16_384;
/** What browsers send has 30 characters; reading a long one costs more than compressing saves. */
const HEADER_MAX_CHARACTERS = 200;

/** As fast as they are, in a small window: to set up a large one takes longer than to compress a page of a list. */
const FAST_BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 },
};
const FAST_GZIP: ZlibOptions = { level: 1, windowBits: 13, memLevel: 6 };
const BEST_BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
const BEST_GZIP: ZlibOptions = { level: constants.Z_BEST_COMPRESSION };

const brotliLater = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const gzipLater = promisify<Buffer, ZlibOptions, Buffer>(gzip);

interface Coder {
  readonly atOnce: (body: string | Buffer) => Buffer;
  readonly later: (body: Buffer) => Promise<Buffer>;
  readonly stream: () => Transform;
  /** As small as it gets, however long it takes. */
  readonly best: (body: string) => Buffer;
}

const coders: Readonly<Record<Coding, Coder>> = {
  br: {
    atOnce: (body) => brotliCompressSync(body, FAST_BROTLI),
    later: (body) => brotliLater(body, FAST_BROTLI),
    stream: () => createBrotliCompress(FAST_BROTLI),
    best: (body) => brotliCompressSync(body, BEST_BROTLI),
  },
  gzip: {
    atOnce: (body) => gzipSync(body, FAST_GZIP),
    later: (body) => gzipLater(body, FAST_GZIP),
    stream: () => createGzip(FAST_GZIP),
    best: (body) => gzipSync(body, BEST_GZIP),
  },
};

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The weights of an `Accept-Encoding` by name (RFC 9110, 12.5.3); a weight that cannot be read is none. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const [weight] = parameters;
    weights.set(name, weight === undefined ? 1 : Number(WEIGHT.exec(weight)?.[1] ?? 0));
  }
  return weights;
}

/** The coding that this header likes best of ours; null where it asks for none. Nobody is refused: what takes nothing gets it plain. */
export function codingFor(header: string | undefined): Coding | null {
  if (header === undefined || header.length > HEADER_MAX_CHARACTERS) return null;
  const weights = weightsOf(header);
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const [first, second] = CODINGS;
  const best = weightOf(second) > weightOf(first) ? second : first;
  return weightOf(best) > 0 && weightOf(best) >= plain ? best : null;
}

/** A text in every form that it may leave in, as small as it gets: for what is compressed once and sent often. */
export function compressedOnce(
  text: string,
): (header: string | undefined) => { body: string | Buffer; coding: Coding | null } {
  const forms = { br: coders.br.best(text), gzip: coders.gzip.best(text) };
  return (header) => {
    const coding = codingFor(header);
    return { body: coding === null ? text : forms[coding], coding };
  };
}

/** Says in which coding the answer is, and that this depends on what was asked for. */
export function describeCoding(reply: FastifyReply, coding: Coding | null): void {
  reply.header('vary', 'accept-encoding');
  if (coding !== null) reply.header('content-encoding', coding);
}

/** For what is read while it is sent. A fault in `content`, or in whom it is sent to, ends both. */
function compressStream(content: NodeJS.ReadableStream, coding: Coding): Transform {
  // Whoever sends the one end hears of every fault.
  return pipeline(content, coders[coding].stream(), () => {});
}

const isStream = (payload: unknown): payload is NodeJS.ReadableStream =>
  typeof (payload as NodeJS.ReadableStream | null)?.pipe === 'function';

/**
 * The `onSend` hook of an endpoint whose answers hold no secret. With one in it, the length of a compressed answer tells a secret to
 * whoever may write into the same answer (BREACH).
 */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const length = typeof payload === 'string' ? payload.length : isStream(payload) ? Number.POSITIVE_INFINITY : 0;
  const coding = length < COMPRESSED_FROM_BYTES ? null : codingFor(request.headers['accept-encoding']);
  if (length >= COMPRESSED_FROM_BYTES) describeCoding(reply, coding);
  if (coding === null) {
    done(null, payload);
  } else if (isStream(payload)) {
    // Of a HEAD, Fastify reads a stream to its end and sends nothing.
    done(null, request.method === 'HEAD' ? payload : compressStream(payload, coding));
  } else {
    const body = Buffer.from(payload as string);
    if (body.length <= AT_ONCE_MAX_BYTES) done(null, coders[coding].atOnce(body));
    else coders[coding].later(body).then((compressed) => done(null, compressed), done);
  }
}
