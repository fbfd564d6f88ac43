// A CSV as a table, with its first line as the head.
import Papa from 'papaparse';
import { type ReactNode, useEffect, useState } from 'react';
import { encodingOf } from '#contract/text-encoding.ts';
import { formatCount } from '#web/lib/format.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { Stage } from './stage.tsx';
import classes from './viewer.module.css';

const SHOWN_ROWS = 1_000;
const SHOWN_COLUMNS = 60;
/** By so much of a file it is judged how its letters are written. */
const JUDGED_BYTES = 4 * 1024 * 1024;

/** Figures as reports write them: 1,234.56, -3, $12.00, (45.10), 7.5%. */
const FIGURE = /^[-(]?\$?-?\d[\d,]*(\.\d+)?%?\)?$/;

interface Sheet {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly moreRows: boolean;
  readonly moreColumns: boolean;
  /** Columns that hold figures only. */
  readonly figures: readonly boolean[];
}

function sheetOf(lines: readonly (readonly string[])[]): Sheet {
  const [head = [], ...rest] = lines;
  const widest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const columns = Math.min(widest, SHOWN_COLUMNS);
  const padded = (line: readonly string[]) =>
    Array.from({ length: columns }, (_, column) => line[column]?.trim() ?? '');
  const rows = rest.slice(0, SHOWN_ROWS).map(padded);
  const figures = Array.from({ length: columns }, (_, column) => {
    const filled = rows.flatMap((row) => (row[column] ? [row[column]] : []));
    return filled.length > 0 && filled.every((value) => FIGURE.test(value));
  });
  return { head: padded(head), rows, moreRows: rest.length > SHOWN_ROWS, moreColumns: widest > columns, figures };
}

function noteOf({ moreRows, moreColumns }: Sheet): string | undefined {
  const shown = [
    ...(moreRows ? [`the first ${formatCount(SHOWN_ROWS)} rows`] : []),
    ...(moreColumns ? [`the first ${SHOWN_COLUMNS} columns`] : []),
  ];
  return shown.length === 0 ? undefined : `Only ${shown.join(' and ')} are shown. Download the file for all of it.`;
}

export interface TableViewProps {
  blob: Blob;
  name: string;
  /** Shown where the file cannot be read. */
  unreadable: ReactNode;
}

export function TableView({ blob, name, unreadable }: TableViewProps) {
  const [sheet, setSheet] = useState<Sheet | 'unreadable'>();

  useEffect(() => {
    let wanted = true;
    const fail = () => {
      if (wanted) setSheet('unreadable');
    };
    const parse = (head: ArrayBuffer) => {
      if (!wanted) return;
      const lines: string[][] = [];
      Papa.parse<string[]>(new File([blob], name), {
        encoding: encodingOf(new Uint8Array(head), { cut: blob.size > JUDGED_BYTES }),
        skipEmptyLines: 'greedy',
        step: ({ data }, parser) => {
          lines.push(data);
          // One line for the head, and one that shows whether there are more. `preview` would count empty ones too.
          if (lines.length === SHOWN_ROWS + 2) parser.abort();
        },
        complete: () => {
          if (wanted) setSheet(sheetOf(lines));
        },
        error: fail,
      });
    };
    void blob.slice(0, JUDGED_BYTES).arrayBuffer().then(parse, fail);
    return () => {
      wanted = false;
    };
  }, [blob, name]);

  if (sheet === undefined) return <Spinner label="Loading file..." />;
  if (sheet === 'unreadable') return unreadable;
  const align = (column: number) => (sheet.figures[column] ? 'right' : undefined);
  return (
    <Stage label={`Table of ${name}`} note={noteOf(sheet)}>
      {sheet.head.length === 0 ? (
        <p className={classes.empty}>This file is empty.</p>
      ) : (
        <table className={classes.sheet}>
          <caption className={classes.hidden}>{name}</caption>
          <thead>
            <tr>
              {sheet.head.map((title, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have nothing but their place
                <th key={column} scope="col" data-align={align(column)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sheet.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
              <tr key={index}>
                {row.map((value, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: so have columns
                  <td key={column} data-align={align(column)}>
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Stage>
  );
}
