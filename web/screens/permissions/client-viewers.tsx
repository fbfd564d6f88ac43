// The people who see one client, why, and which report types they see there.

import { Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ClientReach } from '#contract/roles.ts';
import { clientReachQuery } from '#web/data/permissions.ts';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import classes from './who-can-see.module.css';
import { whyLabels } from './why-labels.ts';

type Person = ClientReach['users'][number];

function reportTypesOf({ why, reportTypes }: Person): string {
  if (why === 'reach-all') return 'Every report type';
  return reportTypes.length === 0 ? 'None: company documents only' : reportTypes.join(', ');
}

const columns: readonly Column<Person>[] = [
  {
    key: 'name',
    header: 'Name',
    width: '24%',
    cell: (person) => (
      <span>
        {person.fullName} <span className={classes.why}>{person.username}</span>
      </span>
    ),
  },
  { key: 'role', header: 'Role', width: '16%', cell: (person) => person.roleName },
  { key: 'why', header: 'Why', width: '18%', cell: (person) => whyLabels[person.why] },
  { key: 'reportTypes', header: 'Reports of', cell: (person) => reportTypesOf(person) },
];

export function ClientViewers({ clientId }: { clientId: number }) {
  const query = useQuery({ ...clientReachQuery(clientId), staleTime: 0 });
  const users = query.data?.users;
  return (
    <>
      {query.error ? null : (
        <Text size="sm" c="dimmed" mb="md">
          Everyone listed sees this client&apos;s company documents, and its reports of the types named.
        </Text>
      )}
      <DataTable
        label="People who see this client"
        columns={columns}
        query={{ ...query, data: users ? { rows: users, total: users.length } : undefined }}
        rowKey={(person) => person.id}
        empty={{ title: 'Nobody sees this client', icon: <IconUsers size={24} stroke={1.5} /> }}
      />
    </>
  );
}
