// The pages of a PDF, found as the reader finds them: whatever hangs in the tree and has no pages below it is one.
import { PDFArray, PDFDict, PDFName, type PDFObject } from '@cantoo/pdf-lib';
import { DamagedPdf } from '../reading/pdf-faults.ts';

const [KIDS, PAGES, PARENT] = ['Kids', 'Pages', 'Parent'].map((key) => PDFName.of(key)) as [PDFName, PDFName, PDFName];

/** Throws when the tree leads to itself. */
export function pagesIn(catalog: PDFDict): PDFDict[] {
  const pages: PDFDict[] = [];
  const within = new Set<PDFDict>();
  const walk = (node: PDFObject | undefined) => {
    if (!(node instanceof PDFDict)) throw new DamagedPdf('What hangs in the tree of pages is none');
    const kids = node.lookup(KIDS);
    if (!(kids instanceof PDFArray)) {
      pages.push(node);
      return;
    }
    if (within.has(node)) throw new DamagedPdf('The tree of pages leads to itself');
    within.add(node);
    for (let index = 0; index < kids.size(); index += 1) walk(kids.lookup(index));
    within.delete(node);
  };
  walk(catalog.lookup(PAGES));
  return pages;
}

/** What a page says of itself, or has from what it hangs in. */
export function inherited(page: PDFDict, key: PDFName): PDFObject | undefined {
  const seen = new Set<PDFDict>();
  for (let node: PDFObject | undefined = page; node instanceof PDFDict && !seen.has(node); node = node.lookup(PARENT)) {
    const value = node.get(key);
    if (value !== undefined) return value;
    seen.add(node);
  }
  return undefined;
}
