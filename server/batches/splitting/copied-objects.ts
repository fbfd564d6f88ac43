// Copies objects of one PDF into another: what a page is drawn with, and nothing that leads away from the page.
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { DamagedPdf } from '../reading/pdf-faults.ts';
import { usedResources } from './used-resources.ts';

/** What nothing is drawn with: other pages, scripts, attached files, the structure of the whole document. */
const FOREIGN_TYPES = new Set([
  ...['Page', 'Pages', 'Catalog', 'Outlines', 'Annot', 'Action', 'Sig', 'SigFieldLock', 'XRef', 'ObjStm'],
  ...['Filespec', 'F', 'EmbeddedFile', 'Metadata', 'StructTreeRoot', 'StructElem', 'Thread', 'Bead'],
]);

/** Entries of a dictionary that lead to such things. */
const FOREIGN_KEYS = new Set([
  ...['Parent', 'StructParent', 'StructParents', 'AA', 'JS', 'AF', 'EF', 'Metadata', 'PieceInfo', 'OPI', 'Ref'],
  ...['LastModified', 'Alternates', 'Measure', 'PtData'],
]);

/** A stream's data lies in the file itself, never in one outside. */
const OUTSIDE_KEYS = new Set(['F', 'FFilter', 'FDecodeParms']);

/** Dictionaries whose keys are names that the page gives to what it uses, and mean nothing. */
const NAMED = new Set([
  ...['Font', 'XObject', 'ExtGState', 'ColorSpace', 'Pattern', 'Shading', 'Properties', 'CharProcs', 'Colorants'],
]);

/** How far an honest page's drawings lie within each other, and then some. */
const DEPTH_MAX = 500;

export class CopiedObjects {
  readonly #source: PDFContext;
  readonly target: PDFContext;
  readonly #refs = new Map<PDFRef, PDFRef>();
  #depth = 0;

  constructor(source: PDFContext, target: PDFContext) {
    this.#source = source;
    this.target = target;
  }

  /** Where the copy of an object is, when it was copied. */
  copyOf(ref: PDFRef): PDFRef | undefined {
    return this.#refs.get(ref);
  }

  /** Undefined for what is not copied. */
  copy(object: PDFObject, named = false): PDFObject | undefined {
    if (object instanceof PDFRef) return this.#copyRef(object, named);
    if (object instanceof PDFStream) return isForeign(object.dict) ? undefined : this.#copyStream(object);
    if (object instanceof PDFDict) return isForeign(object) ? undefined : this.#copyDict(object, named);
    if (object instanceof PDFArray) return this.#copyArray(object);
    return object.clone(this.target);
  }

  #copyRef(ref: PDFRef, named: boolean): PDFRef | undefined {
    const known = this.#refs.get(ref);
    if (known !== undefined) return known;
    const object = this.#source.lookup(ref);
    if (object === undefined) return undefined;
    if (this.#depth > DEPTH_MAX) throw new DamagedPdf('What the page is drawn with has no end');
    const place = this.target.nextRef();
    // Before what it leads to, which may lead back to it.
    this.#refs.set(ref, place);
    this.#depth += 1;
    const copy = this.copy(object, named);
    this.#depth -= 1;
    if (copy !== undefined) this.target.assign(place, copy);
    return place;
  }

  #copyStream(stream: PDFStream): PDFStream {
    const copy = stream.clone(this.target);
    const resources = stream.dict.lookup(PDFName.Resources);
    const used = resources instanceof PDFDict ? usedResources(resources, [stream]) : undefined;
    for (const [key, value] of stream.dict.entries()) {
      if (OUTSIDE_KEYS.has(key.decodeText())) copy.dict.delete(key);
      else this.#copyEntry(copy.dict, key, key === PDFName.Resources ? (used ?? value) : value, false);
    }
    return copy;
  }

  #copyDict(dict: PDFDict, named: boolean): PDFDict {
    const copy = PDFDict.withContext(this.target);
    for (const [key, value] of dict.entries()) this.#copyEntry(copy, key, value, named);
    return copy;
  }

  #copyEntry(copy: PDFDict, key: PDFName, value: PDFObject, named: boolean): void {
    const name = key.decodeText();
    const copied = !named && FOREIGN_KEYS.has(name) ? undefined : this.copy(value, !named && NAMED.has(name));
    if (copied === undefined) copy.delete(key);
    else copy.set(key, copied);
  }

  #copyArray(array: PDFArray): PDFArray {
    const copy = PDFArray.withContext(this.target);
    for (const item of array.asArray()) copy.push(this.copy(item) ?? this.target.obj(null));
    return copy;
  }
}

function isForeign(dict: PDFDict): boolean {
  const type = dict.get(PDFName.Type);
  return type instanceof PDFName && FOREIGN_TYPES.has(type.decodeText());
}
