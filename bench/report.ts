// The report: lines and plain aligned tables, for a terminal and for a closing note.
import process from 'node:process';

export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(header), rule, ...rows.map(line)].join('\n');
}

/** A table under its title, an empty line before it. */
export function sayTable(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  say();
  say(title);
  say(formatTable(header, rows));
}

export function rate(perSecond: number): string {
  return perSecond >= 100 ? Math.round(perSecond).toLocaleString('en-US') : perSecond.toFixed(1);
}

export function ms(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
}

export function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

/** Megabytes of a million bytes. */
export function megabytes(bytes: number | null): string {
  return bytes === null ? 'unknown' : `${(bytes / 1e6).toFixed(0)} MB`;
}

/** 10000 as 10k, 1000000 as 1M. */
export function countTitle(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000}M` : `${count / 1_000}k`;
}

export function mark(reached: boolean): string {
  return reached ? 'reached' : 'MISSED';
}
