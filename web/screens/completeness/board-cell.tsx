// One cell of the board: what became of a client's report type in the period. It opens what is to be done about it.
import { Popover, Tooltip, UnstyledButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { BoardCell, BoardRow, ExpectedReport } from '#contract/completeness.ts';
import { openedFrom } from '#web/parts/files/way-back.ts';
import classes from './board.module.css';
import { cellDetails, cellWords, reportPeriod, reportWords, stateIcons } from './cell-facts.ts';

export interface CellActs {
  /** Null for whoever may not upload reports. */
  readonly onUpload: ((row: BoardRow, cell: BoardCell, report: ExpectedReport) => void) | null;
}

export interface CellProps extends CellActs {
  row: BoardRow;
  cell: BoardCell;
}

const isThere = ({ fileId }: ExpectedReport) => fileId !== null;

/** The page of a report, from which the way back leads to the board as it is now. */
function useReportPage() {
  const router = useRouter();
  return (clientId: number, fileId: number) => ({
    to: '/cpa-dashboard/report/$id',
    params: { id: String(fileId) },
    search: {
      client: String(clientId),
      type: 'report',
      ...openedFrom(`/completeness${router.state.location.searchStr}`),
    },
  });
}

function Words({ cell }: { cell: BoardCell }) {
  const Icon = stateIcons[cell.state];
  return (
    <>
      <Icon size={16} stroke={1.9} aria-hidden />
      <span>{cellWords(cell)}</span>
    </>
  );
}

/** A single report is opened or uploaded at once; several are listed first. */
export function Cell(props: CellProps) {
  const { row, cell, onUpload } = props;
  const navigate = useNavigate();
  const reportPage = useReportPage();
  const [only] = cell.reports;
  if (only === undefined) return null;
  if (cell.reports.length > 1) return <ManyReports {...props} />;
  const act = only.fileId !== null ? 'Open' : onUpload === null ? null : 'Upload';
  const label = `${row.clientName}, ${cell.reportTypeName}, ${cellDetails(cell)}`;
  const open = () => {
    if (only.fileId !== null) void navigate(reportPage(row.clientId, only.fileId));
    else onUpload?.(row, cell, only);
  };
  return (
    <Tooltip
      label={`${cellDetails(cell)}${act === null ? '' : `. ${act}`}`}
      events={{ hover: true, focus: true, touch: false }}
      multiline
      maw={320}
    >
      {act === null ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what the tooltip tells is there for the keyboard too
        <span className={classes.state} data-state={cell.state} role="img" aria-label={label} tabIndex={0}>
          <Words cell={cell} />
        </span>
      ) : (
        <UnstyledButton
          className={classes.state}
          data-state={cell.state}
          aria-label={`${label}. ${act}`}
          onClick={open}
        >
          <Words cell={cell} />
        </UnstyledButton>
      )}
    </Tooltip>
  );
}

function ManyReports({ row, cell, onUpload }: CellProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The list would lie over the dialog, which gives the focus back to the cell.
  const upload = (...which: Parameters<NonNullable<typeof onUpload>>) => {
    button.current?.focus();
    setOpened(false);
    onUpload?.(...which);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <UnstyledButton
          ref={button}
          className={classes.state}
          onClick={() => setOpened(!opened)}
          data-state={cell.state}
          aria-label={`${row.clientName}, ${cell.reportTypeName}, ${cellWords(cell)} (${cellDetails(cell)}). Show each`}
        >
          <Words cell={cell} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={`${cell.reportTypeName} of ${row.clientName}`}>
        <ul className={classes.reports}>
          {cell.reports.map((report) => (
            <OneReport
              key={report.from}
              row={row}
              cell={cell}
              report={report}
              onUpload={onUpload === null ? null : upload}
            />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function OneReport({ row, cell, report, onUpload }: CellProps & { report: ExpectedReport }) {
  const Icon = stateIcons[report.state];
  const reportPage = useReportPage();
  const period = reportPeriod(report);
  return (
    <li className={classes.report} data-state={report.state}>
      <Icon size={16} stroke={1.9} aria-hidden />
      <span>
        <span className={classes.reportPeriod}>{period}</span>
        <span className={classes.reportWords}>{reportWords(report)}</span>
      </span>
      {report.fileId !== null && isThere(report) ? (
        <Link {...reportPage(row.clientId, report.fileId)} aria-label={`Open ${cell.reportTypeName}, ${period}`}>
          Open
        </Link>
      ) : onUpload === null ? null : (
        <UnstyledButton
          className={classes.upload}
          aria-label={`Upload ${cell.reportTypeName}, ${period}`}
          onClick={() => onUpload(row, cell, report)}
        >
          <IconUpload size={14} aria-hidden /> Upload
        </UnstyledButton>
      )}
    </li>
  );
}
