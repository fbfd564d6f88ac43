// The cells of a CSV that an operator hands over on the command line. What people import in the page is read in the page.

const DELIMITERS = [',', ';', '\t'] as const;

/** Lines of cells, quoted or not; what separates them is what the first line has most of. Lines without a letter are left out. */
export function cellsOf(csv: string): string[][] {
  const text = csv.replace(/^\uFEFF/, '');
  const first = text.split(/[\r\n]/, 1)[0] ?? '';
  const count = (delimiter: string) => first.split(delimiter).length;
  const [delimiter] = [...DELIMITERS].sort((one, other) => count(other) - count(one));
  const cell = new RegExp(String.raw`(?:"((?:[^"]|"")*)"|([^${delimiter}\r\n]*))(${delimiter}|\r\n|[\r\n]|$)`, 'y');
  const lines: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    // Letters after a quoted cell: they are read as a cell of their own rather than lost.
    if (found === null) break;
    const [, quoted, plain = '', end] = found;
    lines.at(-1)?.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end !== delimiter) lines.push([]);
  }
  return lines.filter((cells) => cells.some((content) => content !== ''));
}
