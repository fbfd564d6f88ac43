// The thread that recognises words in pictures: Tesseract as WebAssembly, with English data from its package. It fetches nothing.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { giveBack } from '#server/platform/jobs/give-back.ts';
import { fileOf, type Raster, turned } from './raster.ts';

export interface OcrQuestion {
  /** The bytes of a PNG, JPEG, GIF, WebP or PNM. */
  readonly image: Uint8Array;
  /** How the picture is to be turned, as a camera writes it; 1 is upright. */
  readonly orientation: number;
}

/** A page as it was drawn, looked at from a side: turned by so many quarters to the right. */
export interface SheetQuestion {
  readonly sheet: Raster;
  readonly quarters: number;
}

/** In points of the picture, from its top left corner. */
export interface Word {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `undecodable`: it is no picture, or damaged. `ended`: the engine could not bear it, and answers no more. */
export type OcrAnswer = readonly Word[] | 'undecodable' | 'ended';

/** What is used of Tesseract. */
interface Engine {
  Init(path: null, language: string, mode: number, config: null): number;
  SetImageFile(orientation: number, angle: number): number;
  SetVariable(name: string, value: string): void;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  Clear(): void;
}
interface EngineModule {
  /** A file is a copy of its bytes, but for those of a `Buffer`, which it keeps. */
  readonly FS: { writeFile(path: string, bytes: Buffer): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => Engine;
}

const require = createRequire(import.meta.url);
const INPUT = '/input';
const DATA = 'eng.traineddata';
/** The newer of its two ways to recognise, the only one for which the small data has what is needed. */
const LSTM = 1;
/** Finds columns and blocks by itself. */
const WHOLE_PAGE = '3';

async function load(): Promise<{ readonly files: EngineModule['FS']; readonly engine: Engine }> {
  const core = require('tesseract.js-core/tesseract-core-simd-lstm') as (options: object) => Promise<EngineModule>;
  const silent = () => {};
  const module = await core({ TesseractProgress: silent, print: silent, printErr: silent });
  const home = new URL('./', `file://${require.resolve('@tesseract.js-data/eng/package.json')}`);
  const packed = await readFile(new URL('./4.0.0_best_int/eng.traineddata.gz', home));
  const data = gunzipSync(packed);
  giveBack(packed);
  module.FS.writeFile(DATA, data);
  const engine = new module.TessBaseAPI();
  if (engine.Init(null, 'eng', LSTM, null) !== 0) throw new Error('The recognition of words does not start');
  // It has read all of it.
  module.FS.unlink(DATA);
  giveBack(data);
  engine.SetVariable('tessedit_pageseg_mode', WHOLE_PAGE);
  return { files: module.FS, engine };
}

const loaded = load();

export async function work(question: OcrQuestion | SheetQuestion): Promise<OcrAnswer> {
  const { files, engine } = await loaded;
  const { image, orientation } = 'sheet' in question ? pictureOf(question) : question;
  try {
    files.writeFile(INPUT, Buffer.from(image.buffer, image.byteOffset, image.length));
    const isSet = engine.SetImageFile(orientation, 0) === 0;
    // It has the points by now, which take most of the memory. Little else is made in this thread, so that little is collected.
    files.unlink(INPUT);
    giveBack(image);
    if (!isSet) return 'undecodable';
    const words = engine.Recognize(null) === 0 ? engine.GetTSVText(0).split('\n').flatMap(wordOf) : 'undecodable';
    engine.Clear();
    return words;
  } catch (error) {
    // It ran out of memory, or met what it does not expect: after that nothing of it can be relied on.
    if (error instanceof Error && error.name === 'RuntimeError') return 'ended';
    throw error;
  }
}

function pictureOf({ sheet, quarters }: SheetQuestion): OcrQuestion {
  const image = fileOf(turned(sheet, quarters));
  giveBack(sheet.gray);
  return { image, orientation: 1 };
}

/** The level of a line of the answer that tells of one word. */
const WORD = '5';

function wordOf(line: string): Word[] {
  const [level, , , , , , x, y, width, height, confidence, text = ''] = line.split('\t');
  if (level !== WORD || text.trim() === '') return [];
  const [left, top, across, down] = [Number(x), Number(y), Number(width), Number(height)];
  return [{ text: text.trim(), confidence: Number(confidence), x: left, y: top, width: across, height: down }];
}
