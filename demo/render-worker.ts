// A thread that renders batches of documents: descriptions in, bytes out, in the same order.
import { parentPort } from 'node:worker_threads';
import type { DocumentDescriptor } from './documents/descriptor.ts';
import { createRenderer } from './documents/render.ts';

if (parentPort === null) throw new Error('This file runs as a worker thread');
const port = parentPort;
const render = createRenderer();

port.on('message', async (documents: readonly DocumentDescriptor[]) => {
  const rendered: Uint8Array[] = [];
  for (const document of documents) rendered.push(await render(document));
  port.postMessage(rendered);
});
