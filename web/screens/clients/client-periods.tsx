// The reports of a client by year and quarter, newest first: each leads to its list.
import { Anchor } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ClientRow } from '#contract/clients.ts';
import type { PeriodCount } from '#contract/file-periods.ts';
import { periodName } from '#contract/period.ts';
import { formatCount, formatDate } from '#web/lib/format.ts';
import { PageLink } from '#web/ui/page-link.ts';
import { CardBody, ClientCard } from './client-card.tsx';
import { REPORTS_OF_CLIENT } from './client-files.tsx';
import { clientEmpty } from './client-messages.ts';
import classes from './client-page.module.css';

/** Older ones are in the list. */
const YEARS_SHOWN = 4;

interface Year {
  readonly year: string;
  /** Of the year as a whole and its quarters. */
  readonly count: number;
  /** Newest first. */
  readonly quarters: readonly PeriodCount[];
}

function byYear(counts: readonly PeriodCount[]): Year[] {
  const years = [...new Set(counts.map(({ period }) => period.slice(0, 4)))].sort().reverse();
  return years.map((year) => {
    const of = counts.filter(({ period }) => period.startsWith(year));
    const quarters = of.filter(({ period }) => period !== year);
    return { year, count: of.reduce((sum, { count }) => sum + count, 0), quarters };
  });
}

export interface ClientPeriodsProps {
  client: Pick<ClientRow, 'id' | 'name'>;
  query: UseQueryResult<PeriodCount[]>;
}

export function ClientPeriods({ client, query }: ClientPeriodsProps) {
  const to = REPORTS_OF_CLIENT;
  const link = (period: string, words: string, count: number) => (
    <Anchor component={PageLink} to={to} search={{ client: String(client.id), period }} inherit>
      {words} ({formatCount(count)})
    </Anchor>
  );
  return (
    <ClientCard
      title="Reports by Period"
      all={{ what: `reports of ${client.name} by period`, to, search: { client: String(client.id), sort: '-period' } }}
    >
      <CardBody query={query} lines={2}>
        {(counts) =>
          counts.length === 0 ? (
            <p className={classes.none}>{clientEmpty.reportsOfClient.title}</p>
          ) : (
            <dl className={classes.facts}>
              {byYear(counts)
                .slice(0, YEARS_SHOWN)
                .map(({ year, count, quarters }) => (
                  <div key={year} className={classes.year}>
                    <dt>{link(year, year, count)}</dt>
                    <dd className={classes.quarters}>
                      {quarters.map((quarter) => (
                        <span key={quarter.period}>
                          {link(quarter.period, periodName(quarter.period, formatDate), quarter.count)}
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          )
        }
      </CardBody>
    </ClientCard>
  );
}
