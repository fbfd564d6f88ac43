// The head of a batch's page: its name, its state, whose it is, and what can be done with all of it.
import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BatchRow } from '#contract/batches.ts';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { batchStateWords } from './batch-state.tsx';

const counted = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;

function factsOf({ ownerName, createdAt, files, pages }: BatchRow): string {
  return [
    counted(files, 'file', 'files'),
    ...(pages > 0 ? [counted(pages, 'page', 'pages')] : []),
    `${ownerName}, ${formatDateTime(createdAt)}`,
  ].join(' · ');
}

export function BatchHead({ batch, children }: { batch: BatchRow; children?: ReactNode }) {
  return (
    <PageHeader
      title={
        <Group component="span" gap="xs" align="center" display="inline-flex">
          <Breakable text={batch.name} />
          <Badge component="span" miw="max-content">
            {batchStateWords(batch)}
          </Badge>
        </Group>
      }
      subtitle={factsOf(batch)}
      actions={children}
    />
  );
}
