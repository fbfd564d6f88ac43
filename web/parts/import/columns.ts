// Which column of a file is which field: found by its header, in any order, any case and under usual names.
import { plainLetters } from '#contract/search.ts';

export interface ImportColumn<Field extends string> {
  readonly field: Field;
  /** As the form calls it. */
  readonly label: string;
  /** Other names that such columns have, likely ones first. */
  readonly synonyms: readonly string[];
  /** The field whose column serves for this one too, where the file has none of its own. */
  readonly orSameAs?: Field;
  /** Where a file may lack the column, or a row its cell: what it has then, and how that is said. */
  readonly absent?: { readonly value: string; readonly words: string };
  /** The field's value of a cell; its text without outer spaces unless set. */
  readonly read?: (cell: string) => string;
  /** How a value is shown in the preview, where not as it is. */
  readonly show?: (value: string) => string;
  /** Of the template. */
  readonly example: string;
}

/** For each field the place of its column in the file; null where the file has none. */
export type Matching<Field extends string> = Readonly<Record<Field, number | null>>;

/** A header in the plain letters of every search, without spaces and punctuation: 'E-mail Address' and 'emailaddress' are one. */
const headerKey = (header: string): string => plainLetters(header).replace(/[^\p{L}\p{N}]/gu, '');

const keysOf = <Field extends string>({ field, label, synonyms }: ImportColumn<Field>) =>
  [label, field, ...synonyms].map(headerKey);

/** Whether a header is the name of one of `columns`. */
export function knowsHeader<Field extends string>(columns: readonly ImportColumn<Field>[]) {
  const keys = new Set(columns.flatMap(keysOf));
  return (header: string) => keys.has(headerKey(header));
}

/** Matches by exact names before usual ones, and gives no column to two fields, but for a field that may be the same as another one (`orSameAs`). */
export function matchColumns<Field extends string>(
  header: readonly string[],
  columns: readonly ImportColumn<Field>[],
): Matching<Field> {
  const keys = header.map(headerKey);
  const names = columns.map((column) => ({ field: column.field, names: keysOf(column) }));
  const found = new Map<Field, number>();
  const taken = new Set<number>();
  const rounds = Math.max(...names.map((one) => one.names.length));
  for (let round = 0; round < rounds; round += 1) {
    for (const { field, names: known } of names) {
      const name = known[round];
      if (found.has(field) || name === undefined) continue;
      const at = keys.findIndex((key, index) => key === name && !taken.has(index));
      if (at < 0) continue;
      found.set(field, at);
      taken.add(at);
    }
  }
  return Object.fromEntries(
    columns.map(({ field, orSameAs = field }) => [field, found.get(field) ?? found.get(orSameAs) ?? null]),
  ) as Matching<Field>;
}

/** The values of one row, as the form would hold them. */
export function valuesOf<Field extends string>(
  cells: readonly string[],
  columns: readonly ImportColumn<Field>[],
  matching: Matching<Field>,
): Record<Field, string> {
  return Object.fromEntries(
    columns.map(({ field, absent, read = (cell: string) => cell.trim() }) => {
      const at = matching[field];
      const cell = at === null ? '' : (cells[at] ?? '');
      return [field, cell.trim() === '' && absent !== undefined ? absent.value : read(cell)];
    }),
  ) as Record<Field, string>;
}
