// What was disposed of, with its certificates.
import { Title } from '@mantine/core';
import { IconFileTypeCsv, IconFileTypePdf } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { DisposalRow } from '#contract/retention.ts';
import { useMutation } from '#web/data/mutation.ts';
import { refresh } from '#web/data/query-client.ts';
import { disposalsQuery } from '#web/data/retention.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { downloadDisposal } from '#web/lib/file-access.ts';
import { formatCount, LONGEST } from '#web/lib/format.ts';
import { retentionFailed, retentionWords } from '#web/lib/retention-messages.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { IconButton, IconRow } from '#web/ui/icon-button.tsx';
import { Moment } from '#web/ui/moment.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useOwnPages } from '#web/ui/use-own-pages.ts';
import { stopNames } from './stop-words.ts';
import { StoppedDisposals } from './stopped-disposals.tsx';

/** As many are on the first page: those that have not ended, and the newest. */
const SHOWN = 50;

function stateOf({ endedAt, waiting, stopped }: DisposalRow): string {
  if (endedAt !== null) return 'Ended';
  const waits = `${formatCount(waiting)} waiting`;
  return stopped === null ? waits : `${stopNames[stopped]}, ${waits}`;
}

const columns: readonly Column<DisposalRow>[] = [
  {
    key: 'ordered',
    header: 'Ordered',
    width: '22%',
    main: true,
    oneLine: LONGEST.dateTime,
    cell: ({ orderedAt }) => <Moment at={orderedAt} />,
  },
  { key: 'by', header: 'Ordered By', width: '26%', cell: ({ orderedByName }) => orderedByName },
  { key: 'purged', header: 'Disposed Of', width: '14%', cell: ({ purged }) => formatCount(purged) },
  { key: 'left', header: 'Left', width: '12%', cell: ({ left }) => formatCount(left) },
  { key: 'state', header: 'State', width: '14%', cell: stateOf },
  { key: 'certificate', header: 'Certificate', width: '110px', cell: (row) => <Certificates disposal={row} /> },
];

export function Disposals() {
  const list = useOwnPages(SHOWN);
  const { page, pageSize } = list;
  const disposals = useQuery(disposalsQuery({ limit: pageSize, offset: (page - 1) * pageSize }));
  /** Whichever page is shown: of these some may go on, or have stopped. */
  const first = useQuery(disposalsQuery({ limit: SHOWN, offset: 0 }));
  const total = disposals.data?.total ?? 0;
  /** Undefined until they are loaded. */
  const ended = first.data?.rows
    .filter(({ endedAt }) => endedAt !== null)
    .map(({ id }) => id)
    .join();
  const endedBefore = useRef(ended);
  useEffect(() => {
    // What has gone by then is due no more. A short disposal has ended before it is seen going.
    if (endedBefore.current !== undefined && ended !== endedBefore.current) {
      void refresh('retention', 'files', 'activity', 'overview');
    }
    endedBefore.current = ended;
  }, [ended]);
  return (
    <section aria-labelledby="disposals">
      <Title order={2} size="h3" id="disposals" mt="xl" mb="sm">
        Certificates of Disposal
      </Title>
      <StoppedDisposals disposals={first.data?.rows ?? []} />
      <DataTable
        label="Certificates of Disposal"
        columns={columns}
        query={disposals}
        rowKey={({ id }) => id}
        {...(total > SHOWN ? { list } : {})}
        empty={{ title: retentionWords.none }}
      />
    </section>
  );
}

function Certificates({ disposal: { id } }: { disposal: DisposalRow }) {
  const saving = useMutation({
    mutationFn: (as: 'pdf' | 'csv') => downloadDisposal(id, as),
    onSuccess: () => refresh('activity'),
    onError: (error) => toastFault(error, retentionFailed.certificate),
  });
  const busy = (as: 'pdf' | 'csv') => saving.isPending && saving.variables === as;
  return (
    <IconRow>
      <IconButton
        label={`Save certificate ${id} as PDF`}
        tip="PDF"
        icon={<IconFileTypePdf size={17} aria-hidden />}
        busy={busy('pdf')}
        onClick={() => saving.mutate('pdf')}
      />
      <IconButton
        label={`Save certificate ${id} as CSV`}
        tip="CSV"
        icon={<IconFileTypeCsv size={17} aria-hidden />}
        busy={busy('csv')}
        onClick={() => saving.mutate('csv')}
      />
    </IconRow>
  );
}
