// Lines of text as a PDF of Letter pages: the only way the server itself draws one.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PDFDocument, type PDFFont, PDFName, StandardFonts } from '@cantoo/pdf-lib';

const WIDTH = 612;
const HEIGHT = 792;
const MARGIN = 54;
const FOOTER_SIZE = 8;
const LEADING = 1.35;
/** Drawing a row takes some 50 µs: others wait a few milliseconds at most. */
const DRAWN_AT_ONCE = 40;

/** Letters whose stroke is no accent that could be taken off. */
const WITHOUT_STROKE: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i' };

export interface LineStyle {
  /** In points; 9 unless set. */
  readonly size?: number;
  readonly bold?: boolean;
  /** From the left margin, in points. */
  readonly indent?: number;
}

/** Of what is said of a thing below its name. */
export const INDENTED: LineStyle = { indent: 12 };

interface Face {
  readonly name: PDFName;
  readonly font: PDFFont;
  /** Per letter, in thousandths of the size. */
  readonly widths: Map<string, number>;
}

/** Lines wrap, and pages follow each other; each page says which of how many it is. */
export class PdfSheet {
  readonly #pdf: PDFDocument;
  readonly #regular: Face;
  readonly #bold: Face;
  readonly #letters: ReadonlySet<number>;
  readonly #pages: string[][] = [];
  #y = 0;

  private constructor(pdf: PDFDocument, regular: Face, bold: Face) {
    this.#pdf = pdf;
    this.#regular = regular;
    this.#bold = bold;
    this.#letters = new Set(regular.font.getCharacterSet());
  }

  static async open({ title, at }: { readonly title: string; readonly at: number }): Promise<PdfSheet> {
    const pdf = await PDFDocument.create();
    pdf.setTitle(title, { showInWindowTitleBar: true });
    pdf.setLanguage('en-US');
    pdf.setCreationDate(new Date(at));
    pdf.setModificationDate(new Date(at));
    const face = async (name: string, font: StandardFonts) => ({
      name: PDFName.of(name),
      font: await pdf.embedFont(font),
      widths: new Map<string, number>(),
    });
    const regular = await face('Regular', StandardFonts.Helvetica);
    const sheet = new PdfSheet(pdf, regular, await face('Bold', StandardFonts.HelveticaBold));
    sheet.#turn();
    return sheet;
  }

  /** How much of `text` the fonts of every reader hold: accents go where a letter is there without them, the rest is a question mark. */
  plain(text: string): string {
    return Array.from(text.normalize('NFC').replaceAll(/\s/gu, ' '), (letter) => {
      if (this.#has(letter)) return letter;
      const bare = WITHOUT_STROKE[letter] ?? letter.normalize('NFKD').replaceAll(/\p{M}/gu, '');
      return bare !== '' && Array.from(bare).every((one) => this.#has(one)) ? bare : '?';
    }).join('');
  }

  #has(letter: string): boolean {
    const code = letter.codePointAt(0) ?? 0;
    return code >= 32 && this.#letters.has(code);
  }

  /** Room for so many lines of the usual size, on this page or the next. */
  keep(lines: number): void {
    if (this.#y - lines * 9 * LEADING < MARGIN + 2 * FOOTER_SIZE) this.#turn();
  }

  /** Stands above what follows, with room for some lines of it. */
  heading(words: string): void {
    this.space(14);
    this.keep(4);
    this.line(words, { size: 12, bold: true });
    this.space(2);
  }

  /** Each of `rows` below a heading, with room after it; nothing where there is none. Others are served in between. */
  async each<Row>(title: string, rows: readonly Row[], draw: (row: Row) => void): Promise<void> {
    if (rows.length === 0) return;
    this.heading(title);
    for (const [index, row] of rows.entries()) {
      if (index % DRAWN_AT_ONCE === DRAWN_AT_ONCE - 1) await nextTurn();
      draw(row);
      this.space(5);
    }
  }

  space(points: number): void {
    this.#y -= points;
  }

  line(text: string, { size = 9, bold = false, indent = 0 }: LineStyle = {}): void {
    const face = bold ? this.#bold : this.#regular;
    const room = WIDTH - 2 * MARGIN - indent;
    for (const part of this.#wrapped(this.plain(text), face, size, room)) {
      if (this.#y - size * LEADING < MARGIN + 2 * FOOTER_SIZE) this.#turn();
      this.#y -= size * LEADING;
      this.#pages.at(-1)?.push(this.#shown(part, face, size, MARGIN + indent, this.#y));
    }
  }

  #turn(): void {
    this.#pages.push([]);
    this.#y = HEIGHT - MARGIN;
  }

  #shown(text: string, { name, font }: Face, size: number, x: number, y: number): string {
    return `BT ${name} ${size} Tf 1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm ${font.encodeText(text)} Tj ET`;
  }

  #widthOf(text: string, { font, widths }: Face, size: number): number {
    let width = 0;
    for (const letter of text) {
      const known = widths.get(letter) ?? font.widthOfTextAtSize(letter, 1_000);
      widths.set(letter, known);
      width += known;
    }
    return (width * size) / 1_000;
  }

  /** Between words where it can be, else within one. */
  #wrapped(text: string, face: Face, size: number, room: number): string[] {
    const lines: string[] = [];
    let line = '';
    let width = 0;
    for (const word of text.split(/(?<= )/)) {
      const wide = this.#widthOf(word, face, size);
      if (width + this.#widthOf(word.trimEnd(), face, size) <= room) {
        line += word;
        width += wide;
        continue;
      }
      if (line !== '') lines.push(line);
      [line, width] = ['', 0];
      for (const letter of word) {
        const more = this.#widthOf(letter, face, size);
        if (width + more > room && letter !== ' ') {
          lines.push(line);
          [line, width] = ['', 0];
        }
        line += letter;
        width += more;
      }
    }
    lines.push(line);
    return lines;
  }

  /** The whole document; others are served between its pages. */
  async bytes(footer: string): Promise<Uint8Array> {
    const { context } = this.#pdf;
    const of = this.#pages.length;
    for (const [index, shown] of this.#pages.entries()) {
      if (index > 0) await nextTurn();
      const page = this.#pdf.addPage([WIDTH, HEIGHT]);
      for (const { name, font } of [this.#regular, this.#bold]) page.node.setFontDictionary(name, font.ref);
      const face = this.#regular;
      const number = `Page ${index + 1} of ${of}`;
      const right = WIDTH - MARGIN - this.#widthOf(number, face, FOOTER_SIZE);
      const [left = ''] = this.#wrapped(this.plain(footer), face, FOOTER_SIZE, right - 2 * MARGIN);
      const foot = [
        this.#shown(left, face, FOOTER_SIZE, MARGIN, MARGIN - FOOTER_SIZE),
        this.#shown(number, face, FOOTER_SIZE, right, MARGIN - FOOTER_SIZE),
      ];
      const content = context.flateStream([...shown, ...foot].join('\n'));
      page.node.set(PDFName.Contents, context.register(content));
    }
    return this.#pdf.save({ updateFieldAppearances: false });
  }
}
