// What the home of a Client user begins with: the reports that are new, of all companies, or the latest where none are.
import { Anchor, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FileRow } from '#contract/files.ts';
import { latestReportsQuery, newReportsQuery } from '#web/data/home-reports.ts';
import { formatText, formatTotal } from '#web/lib/format.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ALL_IN_ADDRESS, reachesSeveral } from '#web/parts/clients/chosen-client.ts';
import { buttonsColumn, uploadedColumn } from '#web/parts/files/file-columns.tsx';
import { FileMarks } from '#web/parts/files/file-marks.tsx';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { openedFrom } from '#web/parts/files/way-back.ts';
import { periodColumn } from '#web/parts/periods/period-column.tsx';
import { missingReports } from '#web/parts/users/missing-access.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import type { Column } from '#web/ui/table-shape.ts';
import classes from './home.module.css';
import { ToHelp } from './to-help.tsx';

const nameColumn: Column<FileRow> = {
  key: 'name',
  header: 'File Name',
  cell: (file) => (
    <FileMarks file={file}>
      <LinkToFile
        id={file.id}
        name={file.originalName}
        // From one report to the next: company documents stand in another list.
        search={(address) => ({ ...openedFrom('/', address), type: 'report' })}
      />
    </FileMarks>
  ),
  width: '34%',
  cut: true,
};

const companyColumn: Column<FileRow> = {
  key: 'client',
  header: 'Company',
  cell: (file) => <Breakable text={file.clientName} />,
  width: '20%',
};

const factColumns: readonly Column<FileRow>[] = [
  { key: 'type', header: 'Report Type', cell: (file) => formatText(file.reportTypeName), width: '18%' },
  periodColumn('110px'),
  uploadedColumn('Upload Date', '130px'),
  buttonsColumn('Processing...'),
];

const ofOne = [nameColumn, ...factColumns];
const ofSeveral = [nameColumn, companyColumn, ...factColumns];

/** To the list, of all companies and report types, whichever are chosen there. */
function ToReports({ label, isNew }: { label: string; isNew: boolean }) {
  const search = { client: ALL_IN_ADDRESS, reportType: ALL_IN_ADDRESS, ...(isNew ? { new: '1' } : {}) };
  return (
    <Anchor component={PageLink} to="/client-reports" search={search} fz="sm" lh="1.5rem">
      {label}
    </Anchor>
  );
}

export function LatestReports() {
  const user = useSessionUser();
  const fresh = useQuery(newReportsQuery());
  const areNew = fresh.data?.total !== 0;
  const latest = useQuery({ ...latestReportsQuery(), enabled: !areNew });
  const title = fresh.data && areNew ? 'New Reports' : 'Latest Reports';
  const lacking = missingReports(user);
  return (
    <section aria-label={title}>
      <div className={classes.head}>
        <Title order={3}>{title}</Title>
        <span className={classes.links}>
          {fresh.data && areNew ? <ToReports label={`New only (${formatTotal(fresh.data)})`} isNew /> : null}
          <ToReports label="See all" isNew={false} />
        </span>
      </div>
      <div className={classes.reports}>
        <DataTable
          label={title}
          columns={reachesSeveral(user) ? ofSeveral : ofOne}
          query={areNew ? fresh : latest}
          rowKey={(file) => file.id}
          empty={{
            ...(lacking === null ? empty.clientReports : { title: lacking }),
            icon: <IconFileText size={24} stroke={1.5} />,
            action: <ToHelp />,
          }}
        />
      </div>
    </section>
  );
}
