// A CSV to download. Apart from how one is read, which needs the schemas: a page that only hands one out loads none.
import Papa from 'papaparse';

/** A CSV for spreadsheets, with their mark for UTF-8; cells that begin like a formula become plain text. */
export function csvBlob(lines: readonly (readonly string[])[]): Blob {
  const text = Papa.unparse(
    lines.map((line) => [...line]),
    { newline: '\r\n', escapeFormulae: true },
  );
  return new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' });
}
