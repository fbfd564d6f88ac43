// Which layers of a PDF are shown: those that are not must not come to light in a piece.
import { PDFArray, PDFDict, PDFName, PDFRef } from '@cantoo/pdf-lib';
import type { CopiedObjects } from './copied-objects.ts';

/** What the catalog of a piece says of the layers that were copied into it. Undefined when there are none. */
export function copiedLayers(catalog: PDFDict, objects: CopiedObjects): PDFDict | undefined {
  const properties = catalog.lookup(PDFName.of('OCProperties'));
  if (!(properties instanceof PDFDict)) return undefined;
  const copies = refsIn(properties, 'OCGs').flatMap((layer) => {
    const copy = objects.copyOf(layer);
    return copy === undefined ? [] : [{ layer, copy }];
  });
  if (copies.length === 0) return undefined;
  const chosen = properties.lookup(PDFName.of('D'));
  const shown = chosen instanceof PDFDict ? chosen : PDFDict.withContext(catalog.context);
  const [on, off] = [new Set(refsIn(shown, 'ON')), new Set(refsIn(shown, 'OFF'))];
  const allOff = shown.lookup(PDFName.of('BaseState')) === PDFName.of('OFF');
  const isHidden = (layer: PDFRef) => (allOff ? !on.has(layer) : off.has(layer));
  return objects.target.obj({
    OCGs: copies.map(({ copy }) => copy),
    D: { OFF: copies.flatMap(({ layer, copy }) => (isHidden(layer) ? [copy] : [])) },
  });
}

function refsIn(dict: PDFDict, key: string): PDFRef[] {
  const list = dict.lookup(PDFName.of(key));
  return list instanceof PDFArray ? list.asArray().filter((item) => item instanceof PDFRef) : [];
}
