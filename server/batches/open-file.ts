// A file of a batch as it was dropped, or what one document of it is: the same file where it is one document, else its pages alone.

import { Readable } from 'node:stream';
import { refuse } from '#contract/errors.ts';
import type { ViewerCall } from '../api/route.ts';
import { sendDocument } from '../api/send-document.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Now } from '../platform/clock.ts';
import { sendBytes } from '../platform/http/send-bytes.ts';
import { findBatchFile, findDocumentFile, findOriginal } from './batch-files.repo.ts';
import { enterOpening } from './batches.acts.ts';
import { isWholeFile } from './document-name.ts';
import { gatherBytes } from './reading/gather-bytes.ts';
import { CannotSplit, PieceDiffers, splitPdf } from './splitting/split-pdf.ts';

/** Answers bytes of a file. Making a document's pages takes a second of a large print file: one is made after the other. */
export class OpenFile {
  readonly #services: Now & { readonly blobs: BlobStore };
  #making: Promise<unknown> = Promise.resolve();

  constructor(services: Now & { readonly blobs: BlobStore }) {
    this.#services = services;
  }

  async answer({ read, principal, request, reply, input, onlyWhile }: ViewerCall<'batches.open-file'>): Promise<void> {
    const { blobs } = this.#services;
    const { id } = input.params;
    const { view, document: documentId } = input.query;
    const original = input.query.original === 'true';
    const action = view === 'true' ? 'view' : 'download';
    const enter = (continues: boolean) =>
      enterOpening({ read, principal }, { fileId: id, documentId, original, action, continues }, this.#services);
    const document = documentId === undefined ? null : await findDocumentFile(read, id, documentId);
    const find = (scope: ReadScope) => (original ? findOriginal(scope, id) : findBatchFile(scope, id));
    const file = document ?? (documentId === undefined ? await find(read) : null);
    if (file === null) throw refuse('not_found');
    onlyWhile(async (later) =>
      documentId === undefined
        ? (await find(later)) !== null
        : (await findDocumentFile(later, id, documentId)) !== null,
    );
    if (document !== null && !isWholeFile(document)) {
      const content = await this.#inTurn(() => this.#pagesOf(document));
      await enter(false);
      const fileName = document.documentName;
      sendDocument(reply, { contentType: 'application/pdf', fileName, content: Readable.from([content]) });
      return;
    }
    const disposition = action === 'view' ? 'inline' : 'attachment';
    await sendBytes(request, reply, {
      blobs,
      file,
      disposition,
      beforeFirstByte: ({ continues }) => enter(continues),
    });
  }

  #inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
    const made = this.#making.then(make);
    this.#making = made.catch(() => undefined);
    return made;
  }

  /** What cannot be taken out of the file is not shown: the whole file would show other pages. */
  async #pagesOf(document: NonNullable<Awaited<ReturnType<typeof findDocumentFile>>>): Promise<Buffer> {
    const { fromPage: from, toPage: to, filePages } = document;
    const bytes = await gatherBytes(this.#services.blobs, document);
    try {
      const options = { pages: filePages ?? undefined, signal: new AbortController().signal };
      for await (const piece of splitPdf(bytes, [{ from, to }], options)) return Buffer.from(piece);
    } catch (error) {
      if (!(error instanceof CannotSplit || error instanceof PieceDiffers)) throw error;
    }
    throw refuse('not_found');
  }
}
