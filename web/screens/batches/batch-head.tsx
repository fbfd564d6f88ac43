// The head of a batch's page: its name, its state, whose it is, and what can be done with all of it.
import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BatchDetails, BatchRow } from '#contract/batches.ts';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { batchStateWords, documentWords, fileCounts } from './batch-state.tsx';
import { LeftOutFiles } from './left-out.tsx';

function factsOf(batch: BatchRow): string {
  const { ownerName, createdAt, pages } = batch;
  const documents = documentWords(batch);
  const files = fileCounts(batch);
  return [
    `${files} ${files === '1' ? 'file' : 'files'}`,
    ...(pages > 0 ? [pages === 1 ? '1 page' : `${formatCount(pages)} pages`] : []),
    ...(documents === '' ? [] : [documents]),
    `${ownerName}, ${formatDateTime(createdAt)}`,
  ].join(' · ');
}

export function BatchHead({
  batch,
  leftOut,
  children,
}: Pick<BatchDetails, 'batch' | 'leftOut'> & { children?: ReactNode }) {
  return (
    <>
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
      <LeftOutFiles batch={batch} leftOut={leftOut} />
    </>
  );
}
