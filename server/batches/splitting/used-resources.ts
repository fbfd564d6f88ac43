// What a page, or a drawing within it, really uses of the resources it is given. Print files often give all pages one list of every
// font and picture in the file: a piece would carry the whole file, other companies' pictures too.
import { inflateSync, constants as zlib } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFRawStream, PDFStream } from '@cantoo/pdf-lib';

/** The lists of resources that are used by name. */
const LISTS = ['Font', 'XObject', 'ExtGState', 'ColorSpace', 'Pattern', 'Shading', 'Properties'];

/** A name as it stands in a page's content; letters may be written as # and two hexadecimal digits. */
const NAMES = /\/([^\s()<>[\]{}/%]+)/g;

/** More than any page holds: it is not looked through, and keeps all its resources. */
const CONTENT_MAX = 64 * 1024 * 1024;

const known = new WeakMap<PDFStream, ReadonlySet<string> | undefined>();

/** A new dictionary in the same PDF, which holds what `contents` name, and all where that cannot be told. */
export function usedResources(resources: PDFDict, contents: readonly PDFStream[]): PDFDict {
  const names = namesIn(contents);
  const all = names === undefined || leansOnThese(resources, names);
  const used = PDFDict.withContext(resources.context);
  for (const [key, value] of resources.entries()) {
    const list = LISTS.includes(key.decodeText()) ? resources.lookup(key) : undefined;
    used.set(key, list instanceof PDFDict ? entriesOf(list, all ? undefined : names) : value);
  }
  return used;
}

function entriesOf(list: PDFDict, names: ReadonlySet<string> | undefined): PDFDict {
  const kept = PDFDict.withContext(list.context);
  for (const [key, value] of list.entries()) {
    if (names === undefined || names.has(key.decodeText())) kept.set(key, value);
  }
  return kept;
}

/** Whether something used has no resources of its own, and so uses these: drawings and drawn fonts of old programs do. */
function leansOnThese(resources: PDFDict, names: ReadonlySet<string>): boolean {
  const used = (list: string) => {
    const dict = resources.lookup(PDFName.of(list));
    if (!(dict instanceof PDFDict)) return [];
    return dict.keys().flatMap((key) => (names.has(key.decodeText()) ? [dict.lookup(key)] : []));
  };
  const leans = (dict: PDFDict, subtype: string) =>
    dict.lookup(PDFName.of('Subtype')) === PDFName.of(subtype) && !dict.has(PDFName.of('Resources'));
  return (
    used('XObject').some((object) => object instanceof PDFStream && leans(object.dict, 'Form')) ||
    used('Font').some((object) => object instanceof PDFDict && leans(object, 'Type3'))
  );
}

/** Undefined when a part of them cannot be read. */
function namesIn(contents: readonly PDFStream[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const stream of contents) {
    if (!known.has(stream)) known.set(stream, namesOf(stream));
    const found = known.get(stream);
    if (found === undefined) return undefined;
    for (const name of found) names.add(name);
  }
  return names;
}

function namesOf(stream: PDFStream): ReadonlySet<string> | undefined {
  const content = stream instanceof PDFRawStream ? decoded(stream) : undefined;
  if (content === undefined) return undefined;
  const text = Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1');
  return new Set(Array.from(text.matchAll(NAMES), ([, name = '']) => PDFName.of(name).decodeText()));
}

function decoded(stream: PDFRawStream): Uint8Array | undefined {
  const flate = stream.dict.lookup(PDFName.of('Filter')) === PDFName.FlateDecode;
  try {
    if (!flate || stream.dict.has(PDFName.of('DecodeParms'))) return decodePDFRawStream(stream).decode();
    // Some programs leave out the end.
    return inflateSync(stream.contents, { maxOutputLength: CONTENT_MAX, finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

/** The streams that a page's content is made of. */
export function contentStreams(page: PDFDict): PDFStream[] {
  const contents = page.lookup(PDFName.Contents);
  const parts =
    contents instanceof PDFArray ? contents.asArray().map((_, index) => contents.lookup(index)) : [contents];
  return parts.filter((part) => part instanceof PDFStream);
}
