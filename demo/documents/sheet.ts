// Sets documents in type: pages, fonts, tables, panels and footers. It knows layout and no payroll.
import PDFDocument from 'pdfkit';
import { type Day, momentMs } from '../calendar.ts';

export const COLORS = {
  ink: '#1b2733',
  muted: '#64707d',
  faint: '#c9d1d9',
  band: '#f3f6f8',
  accent: '#14506b',
  accentSoft: '#e3eef3',
  warning: '#9a3412',
  paper: '#ffffff',
} as const;
export type Color = (typeof COLORS)[keyof typeof COLORS] | `#${string}`;

export type Align = 'left' | 'right' | 'center';
export type Face = 'regular' | 'bold' | 'mono' | 'serif' | 'serifBold';

const FONTS: Record<Face, string> = {
  regular: 'Helvetica',
  bold: 'Helvetica-Bold',
  mono: 'Courier',
  serif: 'Times-Roman',
  serifBold: 'Times-Bold',
};

/** Letter size, in points. */
const SHORT_EDGE = 612;
const LONG_EDGE = 792;
const FOOTER_HEIGHT = 34;

/** Helvetica's digits and their company, in thousandths of the size; the same in bold, and without kerning. */
const FIGURE_WIDTHS: Readonly<Record<string, number>> = { ',': 278, '.': 278, '(': 333, ')': 333, '-': 333 };
const DIGIT_WIDTH = 556;
const FIGURES = /^[\d,.()$–-]+$/;

export interface SheetOptions {
  readonly title: string;
  readonly author: string;
  readonly preparedDay: Day;
  readonly landscape?: boolean;
  readonly marginPoints?: number;
  /** At the foot of each page, left of the page number. Empty leaves the foot empty. */
  readonly footer: string;
  /** Needed to open the document. */
  readonly password?: string;
}

export interface TextStyle {
  readonly size?: number;
  readonly face?: Face;
  readonly color?: Color;
  readonly align?: Align;
  /** Where `right` and `center` refer to, and where a paragraph wraps. */
  readonly width?: number;
  readonly letterSpacing?: number;
}

export interface Column {
  readonly head: string;
  /** Share of the width. */
  readonly weight: number;
  readonly align?: Align;
}

export interface TableOptions {
  readonly size?: number;
  readonly rowHeight?: number;
  /** Bold rows under a line, after the last row. */
  readonly totals?: readonly (readonly string[])[];
  readonly x?: number;
  readonly width?: number;
}

/** One document being set, top to bottom. `y` is where the next thing goes. */
export class Sheet {
  y: number;
  readonly margin: number;
  readonly width: number;
  readonly #pageWidth: number;
  readonly #pageHeight: number;
  readonly #footer: string;
  readonly #pdf: PDFKit.PDFDocument;
  readonly #chunks: Buffer[] = [];
  readonly #ended: Promise<void>;
  /** Sets the head of a page that continues the document. */
  #continuation: (() => void) | undefined;
  #face: Face | undefined;
  #size = 0;

  constructor(options: SheetOptions) {
    const landscape = options.landscape ?? false;
    this.margin = options.marginPoints ?? 40;
    this.#pageWidth = landscape ? LONG_EDGE : SHORT_EDGE;
    this.#pageHeight = landscape ? SHORT_EDGE : LONG_EDGE;
    this.width = this.#pageWidth - 2 * this.margin;
    this.#footer = options.footer;
    this.y = this.margin;
    this.#pdf = new PDFDocument({
      size: [this.#pageWidth, this.#pageHeight],
      margin: 0,
      bufferPages: true,
      compress: true,
      // Version 1.4 encrypts without drawing chance from outside, so a locked document too is the same each time.
      pdfVersion: '1.4',
      ...(options.password === undefined ? {} : { userPassword: options.password, ownerPassword: options.password }),
      info: {
        Title: options.title,
        Author: options.author,
        Creator: 'Alder & Wren payroll desk',
        Producer: 'PDFKit',
        CreationDate: new Date(momentMs(options.preparedDay, 14 * 60)),
      },
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#ended = promise;
    this.#pdf.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    this.#pdf.on('end', resolve);
    this.#pdf.on('error', reject);
  }

  get left(): number {
    return this.margin;
  }

  get right(): number {
    return this.margin + this.width;
  }

  /** The lowest point for content. */
  get bottom(): number {
    return this.#pageHeight - this.margin - (this.#footer === '' ? 0 : FOOTER_HEIGHT - 14);
  }

  #type(style: TextStyle): void {
    const face = style.face ?? 'regular';
    const size = style.size ?? 9;
    if (face !== this.#face) this.#pdf.font(FONTS[face]);
    if (size !== this.#size) this.#pdf.fontSize(size);
    this.#face = face;
    this.#size = size;
  }

  /** Most of what is set are columns of figures; adding up digit widths saves a lookup in the font's tables. */
  #widthOf(content: string, letterSpacing = 0): number {
    if ((this.#face === 'regular' || this.#face === 'bold') && FIGURES.test(content)) {
      let thousandths = 0;
      for (const character of content) thousandths += FIGURE_WIDTHS[character] ?? DIGIT_WIDTH;
      return (thousandths * this.#size) / 1000;
    }
    return this.#pdf.widthOfString(content, { characterSpacing: letterSpacing });
  }

  /** One line with its top at `y`; `x` is the left end of `width`. Does not move the sheet's own `y`. */
  text(content: string, x: number, y: number, style: TextStyle = {}): void {
    if (content === '') return;
    this.#type(style);
    let start = x;
    if (style.align !== undefined && style.align !== 'left') {
      const room = (style.width ?? 0) - this.#widthOf(content, style.letterSpacing);
      start += style.align === 'right' ? room : room / 2;
    }
    this.#pdf.fillColor(style.color ?? COLORS.ink);
    this.#pdf.text(content, start, y, { lineBreak: false, characterSpacing: style.letterSpacing ?? 0 });
  }

  /** `content` cut with an ellipsis so that it fits into `width`. */
  fitted(content: string, width: number, style: TextStyle): string {
    this.#type(style);
    if (this.#widthOf(content) <= width) return content;
    let kept = content;
    while (kept.length > 1 && this.#widthOf(`${kept}…`) > width) kept = kept.slice(0, -1);
    return `${kept.trimEnd()}…`;
  }

  /** The largest of `sizes` at which `content` fits into `width`, or the last of them. */
  sizeToFit(content: string, width: number, face: Face, sizes: readonly [number, ...number[]]): number {
    let size = sizes[0];
    for (size of sizes) {
      this.#type({ face, size });
      if (this.#widthOf(content) <= width) break;
    }
    return size;
  }

  /** Wrapped text from `y` on; moves on below it. */
  paragraph(content: string, style: TextStyle & { x?: number; gapAfter?: number; lineGap?: number } = {}): void {
    this.#type(style);
    this.#pdf.fillColor(style.color ?? COLORS.ink);
    this.#pdf.text(content, style.x ?? this.left, this.y, {
      width: style.width ?? this.width,
      lineGap: style.lineGap ?? 2.5,
      align: style.align ?? 'left',
    });
    this.y = this.#pdf.y + (style.gapAfter ?? 8);
  }

  rule(y: number, options: { x?: number; width?: number; color?: Color; weight?: number } = {}): void {
    const x = options.x ?? this.left;
    this.#pdf
      .moveTo(x, y)
      .lineTo(x + (options.width ?? this.width), y)
      .lineWidth(options.weight ?? 0.6)
      .strokeColor(options.color ?? COLORS.faint)
      .stroke();
  }

  box(
    x: number,
    y: number,
    width: number,
    height: number,
    options: { fill?: Color; stroke?: Color; weight?: number; radius?: number },
  ): void {
    if (options.radius === undefined) this.#pdf.rect(x, y, width, height);
    else this.#pdf.roundedRect(x, y, width, height, options.radius);
    if (options.weight !== undefined) this.#pdf.lineWidth(options.weight);
    if (options.fill !== undefined && options.stroke !== undefined)
      this.#pdf.fillAndStroke(options.fill, options.stroke);
    else if (options.fill !== undefined) this.#pdf.fill(options.fill);
    else this.#pdf.stroke(options.stroke ?? COLORS.faint);
  }

  /** Everything `draw` sets is turned by `degrees` around the middle of the page. */
  turned(degrees: number, draw: () => void): void {
    this.#pdf.save();
    this.#pdf.rotate(degrees, { origin: [this.#pageWidth / 2, this.#pageHeight / 2] });
    draw();
    this.#pdf.restore();
    this.#face = undefined;
    this.#size = 0;
  }

  /** A signature's stroke: a few loops that differ with `seed`. */
  signature(x: number, y: number, seed: number): void {
    this.#pdf.moveTo(x, y);
    for (let loop = 0; loop < 5; loop += 1) {
      const reach = 10 + ((seed >> loop) % 7) * 2;
      const from = x + loop * 17;
      this.#pdf.bezierCurveTo(from + reach, y - 16 - (seed % 5), from - 3, y + 9, from + 17, y - ((seed >> loop) % 4));
    }
    this.#pdf.lineWidth(1.1).strokeColor('#1f3a8a').stroke();
  }

  /** Fills the whole page; to be drawn before anything else. */
  background(color: Color): void {
    this.box(0, 0, this.#pageWidth, this.#pageHeight, { fill: color });
  }

  /** What each further page begins with. */
  continueWith(head: () => void): void {
    this.#continuation = head;
  }

  newPage(): void {
    this.#pdf.addPage();
    this.#face = undefined;
    this.#size = 0;
    this.y = this.margin;
    this.#continuation?.();
  }

  /** Starts a new page unless `height` points are left on this one. */
  need(height: number): void {
    if (this.y + height > this.bottom) this.newPage();
  }

  heading(content: string): void {
    this.need(40);
    this.y += 4;
    this.text(content, this.left, this.y, { size: 10.5, face: 'bold', color: COLORS.accent });
    this.y += 17;
  }

  /** Small labels over their values, in a row. */
  facts(
    facts: readonly (readonly [label: string, value: string])[],
    options: { columns?: number; x?: number; width?: number } = {},
  ): void {
    const columns = options.columns ?? facts.length;
    const x = options.x ?? this.left;
    const columnWidth = (options.width ?? this.width) / columns;
    facts.forEach(([label, value], index) => {
      const column = index % columns;
      const y = this.y + Math.floor(index / columns) * 26;
      const at = x + column * columnWidth;
      this.text(label.toUpperCase(), at, y, { size: 6, color: COLORS.muted, letterSpacing: 0.4 });
      const style = { size: 9, face: 'bold' } as const;
      this.text(this.fitted(value, columnWidth - 8, style), at, y + 9, style);
    });
    this.y += Math.ceil(facts.length / columns) * 26 + 4;
  }

  #tableHead(columns: readonly Column[], edges: readonly number[], size: number, x: number, width: number): void {
    const height = size + 9;
    this.box(x, this.y, width, height, { fill: COLORS.accent });
    columns.forEach((column, index) => {
      this.#cell(
        column.head,
        edges,
        index,
        this.y + 4.5,
        { size: size - 0.5, face: 'bold', color: COLORS.paper },
        column.align,
      );
    });
    this.y += height;
  }

  #cell(
    content: string,
    edges: readonly number[],
    index: number,
    y: number,
    style: TextStyle,
    align: Align = 'left',
  ): void {
    const from = (edges[index] ?? 0) + 4;
    const width = (edges[index + 1] ?? 0) - 4 - from;
    // Figures are laid out to fit; only words may need cutting.
    const shown = align === 'left' ? this.fitted(content, width, style) : content;
    this.text(shown, from, y, { ...style, align, width });
  }

  /** Rows under a coloured head that returns on each page. */
  table(columns: readonly Column[], rows: readonly (readonly string[])[], options: TableOptions = {}): void {
    const size = options.size ?? 8;
    const rowHeight = options.rowHeight ?? size + 6.5;
    const x = options.x ?? this.left;
    const width = options.width ?? this.width;
    const weights = columns.reduce((sum, column) => sum + column.weight, 0);
    const edges = [x];
    for (const column of columns) edges.push((edges.at(-1) ?? x) + (column.weight / weights) * width);

    this.need(rowHeight * 2 + size + 9);
    this.#tableHead(columns, edges, size, x, width);
    rows.forEach((row, index) => {
      if (this.y + rowHeight > this.bottom) {
        this.newPage();
        this.#tableHead(columns, edges, size, x, width);
      }
      if (index % 2 === 1) this.box(x, this.y, width, rowHeight, { fill: COLORS.band });
      columns.forEach((column, position) => {
        this.#cell(row[position] ?? '', edges, position, this.y + (rowHeight - size) / 2 + 0.6, { size }, column.align);
      });
      this.y += rowHeight;
    });
    for (const row of options.totals ?? []) {
      this.need(rowHeight + 2);
      this.rule(this.y + 0.5, { x, width, color: COLORS.accent, weight: 0.9 });
      columns.forEach((column, position) => {
        this.#cell(
          row[position] ?? '',
          edges,
          position,
          this.y + (rowHeight - size) / 2 + 1.6,
          { size, face: 'bold' },
          column.align,
        );
      });
      this.y += rowHeight + 2;
    }
    this.y += 8;
  }

  /** The numbered lines of a form, each with its amount in a box at the right. */
  formLines(lines: readonly FormLine[]): void {
    const { left: x, width } = this;
    const boxWidth = 96;
    for (const { line, label, value, strong } of lines) {
      this.need(18);
      const face = strong ? 'bold' : 'regular';
      this.text(line, x, this.y + 4, { size: 8.5, face: 'bold', width: 22, align: 'right' });
      this.text(this.fitted(label, width - boxWidth - 60, { size: 8.5, face }), x + 32, this.y + 4, {
        size: 8.5,
        face,
      });
      this.text(line, x + width - boxWidth - 26, this.y + 4, {
        size: 7,
        color: COLORS.muted,
        width: 20,
        align: 'right',
      });
      this.box(x + width - boxWidth, this.y, boxWidth, 15.5, {
        fill: strong ? COLORS.accentSoft : COLORS.paper,
        stroke: COLORS.faint,
        weight: 0.6,
      });
      this.text(value, x + width - boxWidth, this.y + 4, { size: 9, face, width: boxWidth - 6, align: 'right' });
      this.y += 18;
    }
    this.y += 4;
  }

  /** Boxes in a row: a label over an amount. */
  panel(items: readonly (readonly [label: string, value: string])[], options: { highlightLast?: boolean } = {}): void {
    const gap = 8;
    const height = 36;
    this.need(height + 10);
    const boxWidth = (this.width - gap * (items.length - 1)) / items.length;
    items.forEach(([label, value], index) => {
      const x = this.left + index * (boxWidth + gap);
      const highlighted = options.highlightLast === true && index === items.length - 1;
      this.box(x, this.y, boxWidth, height, { fill: highlighted ? COLORS.accent : COLORS.accentSoft, radius: 3 });
      this.text(label, x + 8, this.y + 7, { size: 7, color: highlighted ? COLORS.paper : COLORS.muted });
      this.text(value, x + 8, this.y + 18, { size: 11, face: 'bold', color: highlighted ? COLORS.paper : COLORS.ink });
    });
    this.y += height + 12;
  }

  #footers(): void {
    if (this.#footer === '') return;
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      this.#pdf.switchToPage(page);
      this.#face = undefined;
      this.#size = 0;
      const y = this.#pageHeight - this.margin - 8;
      this.rule(y - 6);
      this.text(this.#footer, this.left, y, { size: 6.5, color: COLORS.muted });
      this.text(`Page ${page + 1} of ${count}`, this.left, y, {
        size: 6.5,
        color: COLORS.muted,
        width: this.width,
        align: 'right',
      });
    }
  }

  /** Ends the document and answers its bytes. */
  async finish(): Promise<Buffer> {
    this.#footers();
    this.#pdf.end();
    await this.#ended;
    return Buffer.concat(this.#chunks);
  }
}

export interface FormLine {
  readonly line: string;
  readonly label: string;
  readonly value: string;
  readonly strong?: boolean;
}
