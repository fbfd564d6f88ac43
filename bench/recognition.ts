// How well batches are recognised, by layout, and how long it takes.
import { recognise } from '#server/batches/recognition/recognise.ts';
import { type Corpus, makeCorpus } from './corpus/corpus.ts';
import { judge, type Tally } from './corpus/judge.ts';
import { LYING, makePdfCorpus } from './corpus/pdf-files.ts';
import { makeImageCorpus, makeScanCorpus } from './corpus/scan-files.ts';
import { Broken } from './load.ts';
import { mark, ms, percent, say, sayTable } from './report.ts';

const DOCUMENTS = 1_000;
const LYING_DOCUMENTS = 200;
/** Each of their pages takes seconds. */
const SCANNED_DOCUMENTS = 24;
const CLEAN_READY = 0.97;
const RIGHT_PAGES = 0.995;

function rowOf(name: string, tally: Tally): string[] {
  const share = (part: number, whole: number) => (whole === 0 ? '-' : percent(part / whole));
  return [
    name,
    String(tally.documents),
    share(tally.rightPages, tally.documents),
    String(tally.ready),
    share(tally.ready, tally.documents),
    String(tally.clean),
    share(tally.cleanReady, tally.clean),
  ];
}

/** `isAimed`: besides that nothing ready is wrong, which is asked of all. */
function report(title: string, corpus: Corpus, isAimed = true): number {
  const pages = corpus.files.reduce((sum, file) => sum + file.pages.length, 0);
  const from = performance.now();
  const proposals = recognise(corpus.files, corpus.world.known);
  const took = performance.now() - from;
  const { all, byLayout, wrong } = judge(corpus, proposals);
  sayTable(
    `${title}: ${all.documents} documents on ${pages} pages in ${corpus.files.length} files, ${corpus.world.known.clients.length} clients, in ${ms(took)} ms`,
    ['layout', 'documents', 'right pages', 'ready', 'of all', 'clean', 'of these ready'],
    [...[...byLayout].sort().map(([name, tally]) => rowOf(name, tally)), rowOf('all', all)],
  );
  say(`ready and wrong: ${wrong.length}, ${mark(wrong.length === 0)}`);
  if (!isAimed) return wrong.length;
  say(`clean and ready: ${percent(all.cleanReady / all.clean)}, ${mark(all.cleanReady >= CLEAN_READY * all.clean)}`);
  say(
    `right pages: ${percent(all.rightPages / all.documents)}, ${mark(all.rightPages >= RIGHT_PAGES * all.documents)}`,
  );
  return wrong.length;
}

/** Batches of a thousand documents in at least twelve layouts, with all that goes wrong in print files and folders: as words, and as PDFs; and smaller ones that lie, as scans, and as images. */
export async function measureRecognition(): Promise<void> {
  const wrong =
    report('Recognition', makeCorpus('bench', DOCUMENTS)) +
    report('Recognition of PDFs', await makePdfCorpus('bench', DOCUMENTS)) +
    report('Recognition of PDFs whose text lies', await makePdfCorpus('bench', LYING_DOCUMENTS, LYING)) +
    report('Recognition of scans', await makeScanCorpus('bench', SCANNED_DOCUMENTS), false) +
    report('Recognition of images that lie each way', await makeImageCorpus('bench', SCANNED_DOCUMENTS), false);
  if (wrong > 0) throw new Broken(`${wrong} documents are called ready and are not what they are called`);
}
