// Bytes in: one file and a few text fields from a multipart body, staged while they arrive.
import type { FastifyMultipartOptions, MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, refuse, refuseFields } from '#contract/errors.ts';
import { NO_FILE_CHOSEN } from '#contract/files.ts';
import type { BlobStore, StagedBlob, StageOptions } from '../platform/blobs/blob-store.ts';
import { cleanFileName } from '../platform/blobs/clean-file-name.ts';
import type { Clock } from '../platform/clock.ts';
import { SLOWEST_BODY, watchPace } from '../platform/http/body-pace.ts';
import { announcedBytes, endUnreadBody } from '../platform/http/unread-body.ts';

const MAX_FIELD_NAME_LENGTH = 100;
/** More than fields and part headers can ever take besides the file. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

/**
 * For `register(multipart, …)`: everything has a limit but the file, which the blob store counts itself. An upload has nine fields, and
 * those that say nothing may be sent too, as empty text.
 */
export const multipartOptions: FastifyMultipartOptions = {
  throwFileSizeLimit: false,
  limits: { files: 1, fields: 12, parts: 14, fieldSize: 2048, headerPairs: 20, fileSize: Number.POSITIVE_INFINITY },
};

export interface ReceiveUploadOptions {
  readonly blobs: BlobStore;
  readonly maxBytes: number;
  readonly clock: Clock;
}

export interface ReceivedUpload {
  /** The text fields by name, not validated yet; without a prototype. */
  readonly fields: Record<string, string>;
  /** Cleaned, never empty. */
  readonly originalName: string;
  /** The receiver owns it. */
  readonly staged: StagedBlob;
}

/**
 * Reads a multipart body with exactly one part named `file`, its fields before or after it. Refuses `unsupported_type`,
 * `file_too_large`, `too_slow`, `storage_full`, `checksum_mismatch` (against `X-Content-SHA256`) and `invalid`; whatever it
 * throws, nothing stays staged, and a body that is still arriving is no longer read.
 */
export async function receiveUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReceiveUploadOptions,
): Promise<ReceivedUpload> {
  const { socket } = request.raw;
  const bytesReadBefore = socket.bytesRead;
  let upload: Partial<ReceivedUpload> = {};
  const tooSlow = new AbortController();
  let endWatch: (() => void) | undefined;
  try {
    const bodyBytes = await refuseByHeaders(request, options);
    endWatch = watchPace(request.raw, SLOWEST_BODY, options.clock, () => tooSlow.abort(refuse('too_slow')));
    const fields = Object.create(null) as Record<string, string>;
    const limits = { ...options, expectedBytes: bodyBytes };
    for await (const part of partsOf(request, tooSlow.signal)) {
      if (part.type === 'field') addField(fields, part);
      else upload = { ...upload, ...(await receiveFile(part, limits, tooSlow.signal)) };
    }
    const { originalName, staged } = upload;
    if (!originalName || !staged) throw refuseFields({ file: NO_FILE_CHOSEN });
    if (staged.sizeBytes === 0) throw refuseFields({ file: 'The file is empty' });
    const announced = announcedDigest(request);
    if (announced !== undefined && announced !== staged.sha256) throw refuse('checksum_mismatch');
    return { fields, originalName, staged };
  } catch (error) {
    await upload.staged?.[Symbol.asyncDispose]();
    endUnreadBody(request, reply, socket.bytesRead - bytesReadBefore);
    throw error;
  } finally {
    endWatch?.();
  }
}

/** Answers the announced length of the body; undefined where there is none. */
async function refuseByHeaders(
  request: FastifyRequest,
  { blobs, maxBytes }: ReceiveUploadOptions,
): Promise<number | undefined> {
  if (!request.isMultipart()) throw refuse('unsupported_type');
  announcedDigest(request);
  const bodyBytes = announcedBytes(request);
  if (!Number.isFinite(bodyBytes)) return undefined;
  if (bodyBytes > maxBytes + FORM_OVERHEAD_BYTES) throw refuse('file_too_large', { maxBytes });
  await blobs.ensureRoom(bodyBytes);
  return bodyBytes;
}

function announcedDigest(request: FastifyRequest): string | undefined {
  const header = request.headers['x-content-sha256'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[0-9a-f]{64}$/i.test(header)) {
    throw new Refusal('invalid', 'X-Content-SHA256 must be 64 hexadecimal digits');
  }
  return header.toLowerCase();
}

/** The parts as they arrive, until `signal` ends them; faults that the parser finds are the sender's. */
async function* partsOf(request: FastifyRequest, signal: AbortSignal): AsyncGenerator<MultipartFile | MultipartValue> {
  const parts = request.parts();
  const aborted = new Promise<'aborted'>((resolve) => {
    signal.addEventListener('abort', () => resolve('aborted'));
  });
  for (;;) {
    let next: IteratorResult<MultipartFile | MultipartValue> | 'aborted';
    try {
      next = await Promise.race([parts.next(), aborted]);
    } catch (error) {
      throw malformed(error);
    }
    if (next === 'aborted') throw signal.reason;
    if (next.done) return;
    yield next.value;
  }
}

async function receiveFile(
  part: MultipartFile,
  { blobs, maxBytes, expectedBytes }: ReceiveUploadOptions & Pick<StageOptions, 'expectedBytes'>,
  signal: AbortSignal,
): Promise<Partial<ReceivedUpload>> {
  if (part.fieldname !== 'file') throw new Refusal('invalid', 'The file must be sent in the part named file');
  const partFaults = new Set<unknown>();
  part.file.on('error', (fault) => partFaults.add(fault));
  let staged: StagedBlob;
  try {
    staged = await blobs.stage(part.file, { maxBytes, expectedBytes, signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // A store that fails ends the part too, so only the part's own fault shows that the sender is to blame.
    const ofPart = partFaults.has(error) || part.file.errored === error || isCutShort(error);
    throw ofPart ? malformed(error) : error;
  }
  // A browser sends an empty file input as a file without name and bytes.
  if (!part.filename && staged.sizeBytes === 0) {
    await staged[Symbol.asyncDispose]();
    return {};
  }
  return { staged, originalName: cleanFileName(decodeFileName(part.filename ?? '')) };
}

/** For a part that ended early and without a fault of its own. */
function isCutShort(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Browsers write these three characters of a file name, and no others, with a percent sign. */
function decodeFileName(sent: string): string {
  return sent.replace(/%22/g, '"').replace(/%0[AD]/gi, '');
}

function addField(fields: Record<string, string>, part: MultipartValue): void {
  const { fieldname, value, valueTruncated } = part;
  if (typeof fieldname !== 'string' || fieldname === '' || fieldname.length > MAX_FIELD_NAME_LENGTH) {
    throw new Refusal('invalid', 'A field has no name or too long a name');
  }
  if (fieldname in fields) throw refuseFields({ [fieldname]: 'Was sent more than once' });
  if (valueTruncated) throw refuseFields({ [fieldname]: 'Is too long' });
  if (typeof value !== 'string') throw refuseFields({ [fieldname]: 'Must be text' });
  fields[fieldname] = value;
}

const LIMITS: Readonly<Record<string, string>> = {
  FST_FILES_LIMIT: 'Send one file at a time',
  FST_FIELDS_LIMIT: 'The form has too many fields',
  FST_PARTS_LIMIT: 'The form has too many parts',
  FST_PROTO_VIOLATION: 'A field has a name that is not allowed',
};

function malformed(error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const refusal = new Refusal('invalid', LIMITS[code] ?? 'The upload did not arrive whole. Please send it again.');
  refusal.cause = error;
  return refusal;
}
