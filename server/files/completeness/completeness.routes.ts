// What is expected of clients, and what of it is there, over HTTP.

import type { BoardRow } from '#contract/completeness.ts';
import { expectedStateNames, frequencyNames } from '#contract/completeness-words.ts';
import { localDay } from '#contract/days.ts';
import { expectedVersions } from '../../api/if-match.ts';
import type { Handlers } from '../../api/route.ts';
import { datedName, sendList } from '../../api/send-document.ts';
import type { Now } from '../../platform/clock.ts';
import type { Cell } from '../../platform/csv.ts';
import { readBoard, summarise, wholeBoard } from './board.repo.ts';
import { addExpectations, replaceExpectationsOf } from './expectations.acts.ts';
import { listExpectations, proposeExpectations } from './expectations.repo.ts';

const HEADER = ['Client Name', 'Report Type', 'How Often', 'Period', 'From', 'To', 'Due', 'State', 'Delivered'].concat([
  'Opened by Client',
  'Items Owed by Client',
  'Client ID',
]);

const NO_REPORT: readonly Cell[] = Array.from({ length: HEADER.length - 3 }, () => null);

/** A line for each expected report, and one for a client who is there for what it owes alone. */
function* linesOf(rows: readonly BoardRow[], timeZone: string): Generator<readonly Cell[]> {
  for (const { clientId, clientName, cells, owed } of rows) {
    if (cells.length === 0) yield [clientName, ...NO_REPORT, owed, clientId];
    for (const { reportTypeName, frequency, reports } of cells) {
      for (const { period, from, to, dueOn, state, deliveredAt, openedByClient } of reports) {
        yield [
          clientName,
          reportTypeName,
          frequencyNames[frequency],
          period,
          from,
          to,
          dueOn,
          expectedStateNames[state],
          deliveredAt === null ? null : localDay(Date.parse(deliveredAt), timeZone),
          openedByClient ? 'Yes' : 'No',
          owed,
          clientId,
        ];
      }
    }
  }
}

async function* inLines(
  pages: AsyncGenerator<readonly BoardRow[]>,
  timeZone: string,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  for await (const rows of pages) yield [...linesOf(rows, timeZone)];
}

export function completenessRoutes({ now }: Now): Handlers<'completeness'> {
  return {
    'completeness.board': ({ read, input }) => readBoard(read, input.query, now()),

    'completeness.export': async ({ read, reply, input }) => {
      const at = now();
      const { timeZone = 'UTC' } = input.query;
      const lines = inLines(wholeBoard(read, input.query, at), timeZone);
      await sendList(reply, { header: HEADER, cells: (line) => line }, lines, datedName('completeness', at, timeZone));
    },

    'completeness.summary': ({ read, input }) => summarise(read, input.query, now()),

    'completeness.propose': ({ read, input }) => proposeExpectations(read, input.body, now()),

    'completeness.save-many': ({ principal, input }) => addExpectations(principal, input.body, { now }),

    'completeness.list': ({ read, input }) => listExpectations(read, input.params.id),

    'completeness.save': ({ principal, input, request }) =>
      replaceExpectationsOf(
        principal,
        { clientId: input.params.id, expectations: input.body.expectations, expected: expectedVersions(request) },
        { now },
      ),
  };
}
