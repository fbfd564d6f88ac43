// What waits for a member of staff today: each kind a number that leads to its place, for whoever may see it there.
import { SimpleGrid, Skeleton, Title } from '@mantine/core';
import {
  IconBuilding,
  IconChecklist,
  IconClockExclamation,
  IconFileAlert,
  IconFiles,
  IconFolder,
  IconListDetails,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { boardPeriodName, yearsDueNow } from '#contract/completeness-words.ts';
import { NEW_FILES_COUNTED_MAX } from '#contract/file-kinds.ts';
import { mayAttempt } from '#contract/policy.ts';
import { batchesQuery } from '#web/data/batches.ts';
import { boardSummaryQuery } from '#web/data/completeness.ts';
import { markedCountQuery } from '#web/data/marked.ts';
import { newFilesQuery } from '#web/data/news.ts';
import { requestSummaryQuery } from '#web/data/requests.ts';
import { formatCount, formatText } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ALL_IN_ADDRESS } from '#web/parts/clients/chosen-client.ts';
import { useToday } from '#web/ui/moment.tsx';
import classes from '#web/ui/stat-card.module.css';
import { useWindowRegained } from '#web/ui/use-window-regained.ts';
import homeClasses from './home.module.css';
import { work } from './work-messages.ts';

interface WorkCard {
  readonly title: string;
  readonly subtitle: string;
  /** What the card says where there is nothing. */
  readonly none: string;
  readonly icon: typeof IconFiles;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  /** Undefined while it is awaited. */
  readonly count: number | undefined;
  /** So many are counted and no more. */
  readonly most?: number;
  readonly isError: boolean;
}

/** '12', and '99+' from `most` on, beyond which nobody counts. */
const countUpTo = (count: number, most: number) => (count < most ? formatCount(count) : `${formatCount(most - 1)}+`);

/** The same within a sentence; null for none. */
const someOf = (count = 0, most = Number.POSITIVE_INFINITY) => (count === 0 ? null : countUpTo(count, most));

/** The kinds of work that the person may see. All are counted over all clients, whichever one is chosen. */
function useWork(): readonly WorkCard[] {
  const user = useSessionUser();
  const [reviews, looksAtBoard, seesMarks, asks] = (
    ['batches.use', 'completeness.read', 'files.read-marks', 'requests.read'] as const
  ).map((action) => mayAttempt(user, action));
  const today = useToday();
  const years = yearsDueNow(today);
  const batches = useQuery({ ...batchesQuery({ state: 'review', limit: 1, offset: 0 }), enabled: reviews === true });
  const board = useQuery({ ...boardSummaryQuery({ period: years }), enabled: looksAtBoard === true });
  const marked = useQuery({ ...markedCountQuery(), enabled: seesMarks === true });
  const asked = useQuery({ ...requestSummaryQuery(today), enabled: asks === true });
  const news = useQuery({ ...newFilesQuery(null), refetchOnMount: 'always' });
  // Nobody is told of what others open, or of a colleague's batch. The rest is told, or asked again each minute.
  useWindowRegained(() => {
    if (reviews) void batches.refetch({ cancelRefetch: false });
    if (looksAtBoard) void board.refetch({ cancelRefetch: false });
    void news.refetch({ cancelRefetch: false });
  });
  const ofBoard = (state: 'missing' | 'late') => ({
    to: '/completeness',
    search: { period: years, state, client: ALL_IN_ADDRESS },
    count: board.data?.[state],
    isError: board.isError,
  });
  return [
    ...(reviews
      ? [
          {
            ...work.batches,
            icon: IconFiles,
            to: '/batches',
            search: { state: 'review' },
            count: batches.data?.total,
            isError: batches.isError,
          },
        ]
      : []),
    ...(looksAtBoard
      ? [
          { ...work.missing(boardPeriodName(years)), icon: IconFileAlert, ...ofBoard('missing') },
          { ...work.late(boardPeriodName(years)), icon: IconClockExclamation, ...ofBoard('late') },
        ]
      : []),
    ...(asks
      ? [
          {
            ...work.asked(someOf(asked.data?.overdue)),
            icon: IconListDetails,
            to: '/requests',
            search: { client: ALL_IN_ADDRESS },
            count: asked.data?.open,
            isError: asked.isError,
          },
          {
            ...work.answers,
            icon: IconChecklist,
            to: '/requests',
            search: { due: 'review', client: ALL_IN_ADDRESS },
            count: asked.data?.toReview,
            isError: asked.isError,
          },
        ]
      : []),
    ...(seesMarks
      ? [
          {
            ...work.marked,
            icon: IconBuilding,
            to: '/file-upload',
            search: { marked: '1', client: ALL_IN_ADDRESS },
            count: marked.data,
            isError: marked.isError,
          },
        ]
      : []),
    {
      ...work.documents(someOf(news.data?.unopenedByStaff, NEW_FILES_COUNTED_MAX)),
      icon: IconFolder,
      to: '/firm-documents',
      search: { new: '1', client: ALL_IN_ADDRESS },
      count: news.data?.documents,
      most: NEW_FILES_COUNTED_MAX,
      isError: news.isError,
    },
  ];
}

export function WorkCards() {
  const cards = useWork();
  const isQuiet = cards.every(({ count }) => count === 0);
  return (
    <section aria-labelledby="todays-work">
      <div className={homeClasses.head}>
        <Title order={3} id="todays-work">
          {work.title}
        </Title>
        <span role="status" className={homeClasses.note}>
          {isQuiet ? work.none : ''}
        </span>
      </div>
      <SimpleGrid
        cols={{ base: 1, xs: 2, sm: 3, lg: cards.length > 6 ? 4 : cards.length, xl: cards.length }}
        spacing={{ base: 6, xs: 'md' }}
        mb="lg"
      >
        {cards.map(
          ({ title, subtitle, none, icon: Icon, to, search, count, most = Number.POSITIVE_INFINITY, isError }) => (
            <Link
              key={title}
              to={to}
              search={search}
              className={`${classes.card} ${homeClasses.card}`}
              data-failed={(isError && count === undefined) || undefined}
            >
              <span className={classes.title}>
                {title}
                <Icon size={17} stroke={1.75} aria-hidden />
              </span>
              <span className={`${classes.figure} ${count === 0 ? classes.quiet : ''}`}>
                {count === undefined ? (
                  isError ? (
                    formatText(null)
                  ) : (
                    <Skeleton component="span" display="block" height={22} width={56} my={5} />
                  )
                ) : count === 0 ? (
                  none
                ) : (
                  countUpTo(count, most)
                )}
              </span>
              {/* What is awaited is not said before it is known. */}
              <span
                className={`${classes.subtitle} ${count === 0 || (count === undefined && !isError) ? homeClasses.unsaid : ''}`}
              >
                {isError && count === undefined ? work.failed : subtitle}
              </span>
            </Link>
          ),
        )}
      </SimpleGrid>
    </section>
  );
}
