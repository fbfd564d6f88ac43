// Certificates as PDFs, drawn in a thread: thousands of documents take seconds, in which requests are answered.
import type { BatchCertificate } from '#contract/batch-certificate.ts';
import { Thread } from '../../platform/jobs/thread.ts';

const THREAD = new URL('./certificate-thread.ts', import.meta.url);
/** Of five thousand documents, it takes a tenth of each. */
const WITHIN_MS = 60_000;
const MEMORY_BYTES = 512 * 1024 * 1024;

export class CertificatePress {
  #last: Promise<unknown> = Promise.resolve();

  /** One at a time in each process, so that many asked for at once fill neither processors nor memory. */
  pdfOf(certificate: BatchCertificate): Promise<Uint8Array> {
    const drawn = this.#last.then(() => draw(certificate));
    this.#last = drawn.catch(() => undefined);
    return drawn;
  }
}

async function draw(certificate: BatchCertificate): Promise<Uint8Array> {
  await using thread = new Thread<BatchCertificate, Uint8Array>(THREAD, {
    memoryBytes: MEMORY_BYTES,
    isAwaited: true,
    isKept: true,
  });
  return await thread.ask(certificate, { withinMs: WITHIN_MS });
}
