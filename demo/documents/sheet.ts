// What papers are made of: headings, facts, tables, lines of forms and panels. It knows layout and no payroll.
import { type Align, COLORS, type TextStyle, Typesetter } from './typesetter.ts';

export interface Column {
  readonly head: string;
  /** Share of the width. */
  readonly weight: number;
  readonly align?: Align;
}

interface TableOptions {
  readonly size?: number;
  readonly rowHeight?: number;
  /** Bold rows under a line, after the last row. */
  readonly totals?: readonly (readonly string[])[];
  readonly x?: number;
  readonly width?: number;
}

export interface FormLine {
  readonly line: string;
  readonly label: string;
  readonly value: string;
  readonly strong?: boolean;
}

/** A document that is set from such pieces, each below the last. */
export class Sheet extends Typesetter {
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
}
