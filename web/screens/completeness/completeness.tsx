// The completeness board: what is expected of clients in a period, and what of it is there, late or missing.
import { Button, Paper } from '@mantine/core';
import { IconEyeOff, IconListCheck, IconTableExport, IconWand } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BoardCell, BoardRow, BoardSummary, ExpectedReport } from '#contract/completeness.ts';
import { boardPeriodName, EXPECTED_STATES, expectedStateNames } from '#contract/completeness-words.ts';
import { mayAttempt } from '#contract/policy.ts';
import { boardQuery, boardSummaryQuery, useExportBoard } from '#web/data/completeness.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { completenessWords } from '#web/lib/completeness-messages.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useChosenClient } from '#web/parts/clients/chosen-client.ts';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import type { ExpectedClient } from '#web/parts/completeness/expectations-dialog.tsx';
import { loadExpectationsDialog } from '#web/parts/completeness/load-expectations-dialog.ts';
import { ReportTypeFilter } from '#web/parts/report-types/type-selects.tsx';
import { showUploadDetails } from '#web/parts/uploads/background-upload.ts';
import { loadUploadAt } from '#web/parts/uploads/upload-at.tsx';
import { type UploadStart, uploadableTypes } from '#web/parts/uploads/upload-form.ts';
import { missingReports } from '#web/parts/users/missing-access.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ChoiceFilter } from '#web/ui/choice-filter.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { type ClearFilters, FilterBar } from '#web/ui/filter-bar.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import { Pager } from '#web/ui/pager.tsx';
import { useExistingPage } from '#web/ui/use-existing-page.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import classes from './board.module.css';
import { askedBoard, BOARD_FILTERS, type BoardFilters, readBoardFilters } from './board-filters.ts';
import { BoardTable } from './board-table.tsx';
import { stateIcons } from './cell-facts.ts';
import { PeriodChooser } from './period-chooser.tsx';

const loadProposals = async () => (await import('./proposals-dialog.tsx')).ProposalsDialog;

export function CompletenessScreen() {
  const user = useSessionUser();
  if (mayAttempt(user, 'completeness.read')) return <Board />;
  return (
    <>
      <PageHeader title="Completeness" />
      <AccessRefused />
    </>
  );
}

function Board() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['client'], defaultSort: 'client', filters: BOARD_FILTERS, pageSize: 50 });
  const chosen = useChosenClient(list.filters.client);
  const filters = { ...readBoardFilters(user, list.filters), clientId: chosen.clientId };
  const asked = askedBoard(filters);
  const board = useQuery(boardQuery({ ...asked, limit: list.query.limit, offset: list.query.offset }));
  const isBeyond = useExistingPage(board, list);
  const { state: _state, ...counted } = asked;
  const summary = useQuery(boardSummaryQuery(counted));
  const proposals = useLazyDialog<null>(loadProposals);
  const expectations = useLazyDialog<ExpectedClient>(loadExpectationsDialog);
  const upload = useLazyDialog<UploadStart>(loadUploadAt);
  const mayManage = mayAttempt(user, 'completeness.manage');
  const mayUpload = uploadableTypes(user).includes('report');
  const isNarrowed = filters.clientId !== null || filters.reportTypeId !== null || filters.state !== null;
  const clear = () => {
    chosen.forget();
    list.clear(['period']);
  };
  const isEmpty = board.data?.total === 0;
  // Why there is nothing is known only with the summary.
  const saysWhy = isEmpty ? isNarrowed || !summary.isPending : !isNarrowed && oweAlone(board.data?.rows, summary.data);

  const onUpload = ({ clientId }: BoardRow, { reportTypeId }: BoardCell, report: ExpectedReport) => {
    // There is one list of uploads: what goes on in the background is shown again.
    if (showUploadDetails()) return;
    const { period, from: periodFrom } = report;
    void upload.open({ fileType: 'report', clientId, reportTypeId, period, periodFrom });
  };
  const proposeButton = mayManage ? (
    <Button
      variant="default"
      leftSection={<IconWand size={16} aria-hidden />}
      onClick={() => void proposals.open(null)}
    >
      Propose from history
    </Button>
  ) : null;

  return (
    <>
      <PageHeader
        title="Completeness"
        subtitle={
          <span className={classes.summary}>
            {summary.data ? summaryWords(summary.data) : boardPeriodName(filters.period)}
          </span>
        }
        actions={
          <>
            {mayAttempt(user, 'files.read-readers') ? <NeverOpenedLink /> : null}
            {proposeButton}
            <ExportButton asked={asked} disabled={isEmpty} />
          </>
        }
      />
      <BoardFilterBar
        filters={filters}
        onFilters={list.setFilters}
        onClient={chosen.choose}
        clear={{ isNarrowed, isEmpty, onClear: clear }}
      />
      <Legend />
      {board.data === undefined && board.error !== null ? (
        <Paper withBorder radius="md">
          <ErrorState message={board.error.message} onRetry={() => board.refetch()} busy={board.isFetching} />
        </Paper>
      ) : saysWhy && isEmpty ? null : (
        <BoardTable
          rows={isEmpty || isBeyond ? undefined : board.data?.rows}
          stale={board.isPlaceholderData}
          onExpect={mayManage ? (client) => void expectations.open(client) : null}
          onUpload={mayUpload ? onUpload : null}
        />
      )}
      {board.data !== undefined && board.data.total > 0 ? (
        <Pager
          label="Clients"
          list={list}
          total={board.data.total}
          shown={board.data.rows.length}
          className={classes.pager}
        />
      ) : null}
      {/* Always there, so that a filter which leaves nothing is heard. Below clients who owe alone: it comes after them, and moves nothing. */}
      <div aria-live="polite">
        {saysWhy ? (
          <Paper withBorder radius="md" mt={isEmpty ? 0 : 'md'}>
            <NothingThere isNarrowed={isNarrowed} isNew={summary.data?.expectations === 0} action={proposeButton} />
          </Paper>
        ) : null}
      </div>
      {proposals.element}
      {expectations.element}
      {upload.element}
    </>
  );
}

interface BoardFilterBarProps {
  filters: BoardFilters;
  onFilters: (changed: Partial<Record<(typeof BOARD_FILTERS)[number], string>>) => void;
  onClient: (clientId: number | null) => void;
  clear: ClearFilters;
}

function BoardFilterBar({ filters, onFilters, onClient, clear }: BoardFilterBarProps) {
  return (
    <FilterBar clear={clear}>
      <PeriodChooser value={filters.period} onChange={(period) => onFilters({ period })} />
      <ClientSelect label="Client" withAll value={filters.clientId} onChange={onClient} w={{ base: '100%', xs: 220 }} />
      <ReportTypeFilter value={filters.reportTypeId} onChange={(reportType) => onFilters({ reportType })} />
      <ChoiceFilter
        label="State"
        allLabel="All States"
        choices={EXPECTED_STATES}
        names={expectedStateNames}
        value={filters.state}
        onChange={(state) => onFilters({ state })}
        width={150}
      />
    </FilterBar>
  );
}

function NeverOpenedLink() {
  return (
    <Button
      component={PageLink}
      to="/completeness/unopened"
      variant="default"
      leftSection={<IconEyeOff size={16} aria-hidden />}
    >
      Never Opened
    </Button>
  );
}

function ExportButton({ asked, disabled }: { asked: ReturnType<typeof askedBoard>; disabled: boolean }) {
  const exporting = useExportBoard();
  return (
    <BusyButton
      variant="default"
      leftSection={<IconTableExport size={16} aria-hidden />}
      busy={exporting.isPending}
      disabled={disabled}
      onClick={() => exporting.mutate(asked, { onError: (error) => toastFault(error, completenessWords.notExported) })}
    >
      {exporting.isPending ? 'Exporting...' : 'Export CSV'}
    </BusyButton>
  );
}

const expectsNothing = ({ missing, late, expected, delivered }: BoardSummary) =>
  missing + late + expected + delivered === 0;

/** Nothing is expected, and the clients are there for what they owe. */
const oweAlone = (rows: readonly BoardRow[] | undefined, summary: BoardSummary | undefined) =>
  rows?.every(({ cells }) => cells.length === 0) === true && summary !== undefined && expectsNothing(summary);

/** '12 missing and 4 late for Q3 2026'. */
function summaryWords(summary: BoardSummary): string {
  const { period, missing, late } = summary;
  const name = boardPeriodName(period);
  if (expectsNothing(summary)) return name;
  if (missing === 0) return `Nothing missing for ${name}${late > 0 ? `, ${formatCount(late)} late` : ''}`;
  return `${formatCount(missing)} missing for ${name}${late > 0 ? `, ${formatCount(late)} late` : ''}`;
}

interface NothingThereProps {
  isNarrowed: boolean;
  /** Whether nobody has said what is expected yet. */
  isNew: boolean;
  action: ReactNode;
}

function NothingThere({ isNarrowed, isNew, action }: NothingThereProps) {
  const { title, hint, hintOfReaders } = completenessWords.empty;
  const icon = <IconListCheck size={24} stroke={1.5} />;
  const lacking = missingReports(useSessionUser());
  if (lacking !== null) return <EmptyState title={lacking} icon={icon} />;
  if (isNarrowed) return <EmptyState {...nothingMatches({ title: completenessWords.noneMatch })} />;
  if (!isNew) return <EmptyState title={completenessWords.emptyPeriod} icon={icon} />;
  return <EmptyState title={title} hint={action === null ? hintOfReaders : hint} icon={icon} action={action} />;
}

function Legend() {
  return (
    <ul className={classes.legend} aria-label="What the states mean">
      {EXPECTED_STATES.map((state) => {
        const Icon = stateIcons[state];
        return (
          <li key={state} className={classes.key} data-state={state}>
            <Icon size={15} stroke={1.9} aria-hidden />
            {expectedStateNames[state]}
            <span className={classes.keyWords}>{completenessWords.states[state]}</span>
          </li>
        );
      })}
    </ul>
  );
}
