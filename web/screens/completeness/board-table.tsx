// The board: clients down, report types across; on a phone a card for each client.
// biome-ignore-all lint/a11y/noRedundantRoles: drawn as blocks, the parts of a card keep their roles only where they are said
import { Skeleton } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { BoardRow } from '#contract/completeness.ts';
import { daysUntil, dueWords } from '#contract/request-words.ts';
import { NOTHING } from '#web/lib/format.ts';
import { requestWords } from '#web/lib/request-messages.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import type { ExpectedClient } from '#web/parts/completeness/expectations-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useToday } from '#web/ui/moment.tsx';
import classes from './board.module.css';
import { Cell, type CellActs } from './board-cell.tsx';
import { columnsOf } from './cell-facts.ts';

export interface BoardTableProps extends CellActs {
  /** Undefined while they load. */
  rows: readonly BoardRow[] | undefined;
  /** Older rows stand there while others load. */
  stale: boolean;
  /** Null for whoever may not say what is expected. */
  onExpect: ((client: ExpectedClient) => void) | null;
}

const GREY_COLUMNS = [1, 2, 3];
const GREY_ROWS = [1, 2, 3, 4, 5, 6];

/** The other direction: what the client owes the firm, and the way to it. */
function Owed({ row, owed }: { row: BoardRow; owed: number }) {
  const today = useToday();
  const days = row.owedDueOn === null ? 0 : daysUntil(row.owedDueOn, today);
  const late = days < 0 ? dueWords(days) : null;
  return (
    <Link
      to="/requests"
      search={{ client: String(row.clientId) }}
      className={classes.owed ?? ''}
      aria-label={[`${row.clientName} ${requestWords.owes(owed)}`, ...(late === null ? [] : [late])].join(', ')}
    >
      {requestWords.owes(owed)}
      {late === null ? null : <span className={classes.owedLate}>{`, ${late}`}</span>}
    </Link>
  );
}

export function BoardTable({ rows, stale, onExpect, onUpload }: BoardTableProps) {
  const columns = rows === undefined ? GREY_COLUMNS.map((id) => ({ id, name: '' })) : columnsOf(rows);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to
    <section className={classes.frame} aria-label="Completeness board" tabIndex={0}>
      <table role="table" className={classes.board} aria-busy={rows === undefined || stale}>
        <caption className={classes.caption}>Completeness</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              Client
            </th>
            {columns.map(({ id, name }) =>
              rows === undefined ? (
                <td role="cell" key={id} aria-hidden>
                  <Skeleton height={12} width="70%" />
                </td>
              ) : (
                <th role="columnheader" scope="col" key={id}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody role="rowgroup" data-stale={stale || undefined}>
          {rows === undefined
            ? GREY_ROWS.map((row) => (
                <tr role="row" key={`grey-${row}`} aria-hidden>
                  {[0, ...GREY_COLUMNS].map((column) => (
                    <td role="cell" key={column}>
                      <Skeleton height={12} width="70%" my={4} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr role="row" key={row.clientId}>
                  <th role="rowheader" scope="row">
                    <span className={classes.client}>
                      <span className={classes.clientName}>
                        <ClientLink id={row.clientId} name={row.clientName} />
                        {row.owed ? <Owed row={row} owed={row.owed} /> : null}
                      </span>
                      {onExpect === null ? null : (
                        <IconButton
                          label={`Expectations of ${row.clientName}`}
                          tip="Expectations"
                          icon={<IconListCheck size={17} stroke={1.75} aria-hidden />}
                          onClick={() => onExpect({ id: row.clientId, name: row.clientName })}
                        />
                      )}
                    </span>
                  </th>
                  {columns.map(({ id, name }) => {
                    const cell = row.cells.find(({ reportTypeId }) => reportTypeId === id);
                    return (
                      <td role="cell" key={id} data-label={name} data-none={cell === undefined || undefined}>
                        {cell === undefined ? (
                          <span className={classes.none}>
                            <span aria-hidden>{NOTHING}</span>
                            <span className={classes.hidden}>Not expected</span>
                          </span>
                        ) : (
                          <Cell row={row} cell={cell} onUpload={onUpload} />
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
        </tbody>
      </table>
    </section>
  );
}
