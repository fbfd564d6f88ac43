// Who may call what: every endpoint, for every viewer, in and out of reach, as one table written by hand from docs/behaviour.md, Rights.
import { batchesRows } from './rows/batches.ts';
import { filesRows } from './rows/files.ts';
import { firmRows } from './rows/firm.ts';
import { keptFilesRows } from './rows/kept-files.ts';
import { peopleRows } from './rows/people.ts';
import { requestsRows } from './rows/requests.ts';
import { systemRows } from './rows/system.ts';

/**
 * Every viewer except `nobody` and Admin has one client and one report type in the lists: those are "in reach". `custom` is a
 * role without capabilities; a plus is such a role with this one capability, `+batches` with those of the workbench and of requests.
 *
 * 200+ finds the thing in the list, 200- gets the list without it. A refusal leaves every table and the blobs as they were.
 *
 * The rows of each part are in a file of their own, and so are their calls.
 */
const PARTS = {
  people: readTable(peopleRows),
  firm: readTable(firmRows),
  files: readTable(filesRows),
  'kept-files': readTable(keptFilesRows),
  batches: readTable(batchesRows),
  requests: readTable(requestsRows),
  system: readTable(systemRows),
};
export type PartName = keyof typeof PARTS;

export interface TableRow {
  readonly about: string;
  readonly endpoint: string;
  readonly expected: Readonly<Record<string, string>>;
}

function readTable(text: string): TableRow[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [header = [], ...rows] = lines.map((line) => line.split('|').map((part) => part.trim()));
  const viewers = (header[1] ?? '').split(/\s+/);
  return rows.map(([about = '', cells = '']) => {
    const statuses = cells.split(/\s+/);
    const expected = Object.fromEntries(viewers.map((viewer, index) => [viewer, statuses[index] ?? 'missing']));
    return { about, endpoint: about.split(' ', 1)[0] ?? '', expected };
  });
}

export const partNames = Object.keys(PARTS) as PartName[];
export const rowsOf = (part: PartName): readonly TableRow[] => PARTS[part];
export const table: readonly TableRow[] = Object.values(PARTS).flat();
