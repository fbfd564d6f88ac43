// Who opened or downloaded what was released, newest first.
import { Text } from '@mantine/core';
import type { DocumentAccess } from '#contract/batches.ts';
import { activityReach } from '#contract/policy/reach.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { noAccesses } from './batch-messages.ts';
import classes from './review.module.css';

const deeds = { view: 'opened', download: 'downloaded' } as const;

/** `named` says of which document each entry is; `several`: it is about more than one. */
export function Accesses({
  rows,
  named,
  several = false,
}: {
  rows: readonly DocumentAccess[];
  named: boolean;
  several?: boolean;
}) {
  const isKnown = activityReach(useSessionUser()) !== 'own';
  const none = <Text c="dimmed">{noAccesses({ isKnown, several })}</Text>;
  if (rows.length === 0) return none;
  return (
    <>
      <ul className={classes.accesses}>
        {rows.map(({ documentId, fileName, clientId, clientName, action, userName, at }, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two openings may share everything else
          <li key={`${documentId} ${at} ${nth}`}>
            <span className={classes.breaks}>
              <b>{userName}</b> {deeds[action]}{' '}
              {named ? (
                <>
                  <Breakable text={fileName} />
                  {clientName === null ? null : (
                    <>
                      {' ('}
                      <ClientLink id={clientId} name={clientName} />)
                    </>
                  )}
                </>
              ) : (
                'it'
              )}
            </span>
            <span className={classes.where}>
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
      {isKnown ? null : none}
    </>
  );
}

interface AccessListProps {
  query: {
    readonly data: { readonly rows: readonly DocumentAccess[] } | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  documentId: number;
}

/** Of one document. */
export function AccessList({ query: { data, error, isFetching, refetch }, documentId }: AccessListProps) {
  if (error) return <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />;
  if (data === undefined) return <Text c="dimmed">Loading...</Text>;
  return <Accesses rows={data.rows.filter((row) => row.documentId === documentId)} named={false} />;
}
