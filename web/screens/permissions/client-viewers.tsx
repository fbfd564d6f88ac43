// The people who see one client, why, and which report types they see there.

import { Anchor, Skeleton, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { ClientReach } from '#contract/roles.ts';
import { matchesSearch } from '#contract/search.ts';
import { clientReachQuery } from '#web/data/permissions.ts';
import { formatCount } from '#web/lib/format.ts';
import { whyLabels } from '#web/parts/users/why-labels.ts';
import { ClearSearch } from '#web/ui/clear-search.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useOwnPages } from '#web/ui/use-own-pages.ts';
import classes from './who-can-see.module.css';

type Person = ClientReach['users'][number];

/** As many report types are named before the rest is counted. */
const NAMED = 3;

const columns: readonly Column<Person>[] = [
  {
    key: 'name',
    header: 'Name',
    width: '26%',
    cell: (person) => (
      <span>
        {person.fullName} <span className={classes.why}>{person.username}</span>
      </span>
    ),
  },
  { key: 'role', header: 'Role', width: '16%', cell: (person) => person.roleName },
  { key: 'why', header: 'Why', width: '18%', cell: (person) => whyLabels[person.why] },
  { key: 'reportTypes', header: 'Reports of', cell: (person) => <ReportTypes person={person} /> },
];

/** The report types by name; the first few of many, until all are requested. */
function ReportTypes({ person: { why, fullName, reportTypes } }: { person: Person }) {
  const [all, setAll] = useState(false);
  if (why === 'reach-all') return 'Every report type';
  if (reportTypes.length === 0) return 'None: company documents only';
  const rest = reportTypes.length - NAMED;
  if (rest <= 1) return reportTypes.join(', ');
  return (
    <span>
      {(all ? reportTypes : reportTypes.slice(0, NAMED)).join(', ')}{' '}
      <Anchor
        component="button"
        type="button"
        inherit
        underline="always"
        className={classes.more ?? ''}
        aria-expanded={all}
        aria-label={all ? `Fewer report types of ${fullName}` : `${rest} more report types of ${fullName}`}
        onClick={() => setAll(!all)}
      >
        {all ? 'fewer' : `and ${rest} more`}
      </Anchor>
    </span>
  );
}

/** As short as the room that is kept for it; the table says why in whole words. */
function summaryOf(people: readonly Person[]): string {
  const byRole = people.filter((person) => person.why === 'reach-all').length;
  const byAll = people.filter((person) => person.why === 'all-clients').length;
  const byList = people.length - byRole - byAll;
  const who = people.length === 1 ? '1 person sees' : `${formatCount(people.length)} people see`;
  const reasons = [
    ...(byRole > 0 ? [`${formatCount(byRole)} by their role`] : []),
    ...(byAll > 0 ? [`${formatCount(byAll)} given all clients`] : []),
    ...(byList > 0 ? [`${formatCount(byList)} by their access list`] : []),
  ];
  return `${who} this client: ${reasons.join(', ')}.`;
}

export function ClientViewers({ clientId }: { clientId: number }) {
  const query = useQuery({ ...clientReachQuery(clientId), staleTime: 0 });
  const [search, setSearch] = useState('');
  const list = useOwnPages();
  const { page, pageSize, setPage } = list;
  const sought = useDeferredValue(search.trim());

  const everyone = query.data?.users;
  const matching = everyone?.filter(
    ({ fullName, username, roleName }) => sought === '' || matchesSearch(sought, [fullName, username, roleName]),
  );
  const data = matching && {
    rows: matching.slice((page - 1) * pageSize, page * pageSize),
    total: matching.length,
  };
  const nobody = everyone?.length === 0;
  const failed = query.isError && everyone === undefined;

  return (
    <>
      {nobody || failed ? null : (
        <>
          <Text mb={4} role="status" className={classes.sum ?? ''}>
            {everyone ? (
              summaryOf(everyone)
            ) : (
              <Skeleton component="span" display="inline-block" height={12} width="26rem" maw="100%" aria-hidden />
            )}
          </Text>
          <Text size="sm" c="dimmed" mb="md">
            Each of them sees its company documents, and its reports of the types named.
          </Text>
          <SearchBox
            label="Search people"
            placeholder="Search people by name or role..."
            value={search}
            onChange={(text) => {
              setSearch(text);
              setPage(1);
            }}
          />
        </>
      )}
      <DataTable
        label="People who see this client"
        columns={columns}
        query={{ ...query, data }}
        rowKey={(person) => person.id}
        list={list}
        empty={{
          title: nobody ? 'Nobody sees this client' : 'Nobody matches your search',
          action: nobody ? undefined : <ClearSearch list={{ clear: () => setSearch('') }} />,
          icon: <IconUsers size={24} stroke={1.5} />,
        }}
      />
    </>
  );
}
