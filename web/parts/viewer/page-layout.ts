// The position of each page of a PDF in the pane, computed without drawing any of them.

/** In points, as in the PDF. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface PlacedPage {
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PageLayout {
  readonly pages: readonly PlacedPage[];
  readonly width: number;
  readonly height: number;
}

/** Between the pages and around them, in px. */
export const GAP = 12;
/** CSS counts 96 px to the inch, PDF 72 points. */
export const PX_PER_POINT = 96 / 72;

export interface LayoutFacts {
  readonly count: number;
  /** By page, from 0; pages not met yet are taken to be like the first. */
  readonly sizes: ReadonlyMap<number, PageSize>;
  readonly first: PageSize;
  /** Each page as wide as `room`, or its true size times this. */
  readonly zoom: number | 'fit';
  readonly room: number;
}

export function layPages({ count, sizes, first, zoom, room }: LayoutFacts): PageLayout {
  const pages: PlacedPage[] = [];
  let top = GAP;
  let widest = 0;
  for (let index = 0; index < count; index += 1) {
    const size = sizes.get(index) ?? first;
    const width = zoom === 'fit' ? room : size.width * PX_PER_POINT * zoom;
    const height = (width * size.height) / size.width;
    pages.push({ top, width, height });
    top += height + GAP;
    widest = Math.max(widest, width);
  }
  return { pages, width: widest + 2 * GAP, height: top };
}

/** The page at `y`, from 0: the last that begins above it. */
export function pageAt({ pages }: PageLayout, y: number): number {
  let low = 0;
  let high = pages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pages[middle]?.top ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
