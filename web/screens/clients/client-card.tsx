// One part of the page of a client: its heading, the way to the whole list, and its content once that is there.

import { Anchor, Skeleton, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { ErrorState } from '#web/ui/error-state.tsx';
import { type Address, PageLink, type PagePath } from '#web/ui/page-link.ts';
import classes from './client-page.module.css';

export interface SeeAll {
  /** What is seen there, for screen readers: 'reports of Acme LLC'. */
  readonly what: string;
  readonly to: PagePath;
  readonly search: Address;
}

export interface ClientCardProps {
  title: string;
  all?: SeeAll | undefined;
  children: ReactNode;
}

export function ClientCard({ title, all, children }: ClientCardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {all ? (
          <Anchor
            component={PageLink}
            to={all.to}
            search={all.search}
            className={classes.all ?? ''}
            aria-label={`See all ${all.what}`}
          >
            See all
          </Anchor>
        ) : null}
      </div>
      {children}
    </section>
  );
}

/** As much of a query as a card reads. */
interface CardQuery<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

export interface CardBodyProps<Data> {
  query: CardQuery<Data>;
  /** How many grey lines are in while the answer is awaited. */
  lines: number;
  children: (data: Data) => ReactNode;
}

/** The content in its frame; grey lines, or what failed with Retry, in its place. */
export function CardBody<Data>({ query: { data, error, isFetching, refetch }, lines, children }: CardBodyProps<Data>) {
  return (
    <div className={classes.panel} aria-busy={isFetching}>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <div className={classes.waiting} aria-hidden>
          {Array.from({ length: lines }, (_, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: grey lines have nothing but their place
            <Skeleton key={nth} height={12} width={nth % 2 === 0 ? '72%' : '56%'} my={12} />
          ))}
        </div>
      )}
    </div>
  );
}
