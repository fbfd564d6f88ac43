// Sets documents in type: pages, fonts, lines, boxes and footers. It knows neither tables nor payroll.
import PDFDocument from 'pdfkit';
import { type Day, momentMs } from '../calendar.ts';

/** Of all documents. */
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
type Color = (typeof COLORS)[keyof typeof COLORS] | `#${string}`;

export type Align = 'left' | 'right' | 'center';
type Face = 'regular' | 'bold' | 'mono' | 'serif' | 'serifBold';

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

/** One document being set, top to bottom. `y` is where the next thing goes. */
export class Typesetter {
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
