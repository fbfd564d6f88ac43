// The details of a file, next to the file itself.
import { Skeleton, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { FileRow } from '#contract/files.ts';
import { formatMegabytes, formatText, NOTHING } from '#web/lib/format.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { PERIOD_LABEL, periodWords } from '#web/parts/periods/period-select.tsx';
import { typeNameOf } from '#web/parts/viewer/file-kind.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { Moment } from '#web/ui/moment.tsx';
import classes from './report.module.css';

const facts: readonly (readonly [name: (file: FileRow) => string, value: (file: FileRow) => ReactNode])[] = [
  [() => 'File Name', (file) => <Breakable key="name" text={file.originalName} />],
  [() => 'Client', (file) => <ClientLink key="client" id={file.clientId} name={file.clientName} />],
  [
    (file) => (file.fileType === 'report' ? 'Report Type' : 'Document Type'),
    (file) => (file.fileType === 'report' ? formatText(file.reportTypeName) : (file.documentType ?? 'Other')),
  ],
  [() => PERIOD_LABEL, ({ period }) => (period === null ? NOTHING : periodWords(period))],
  [() => 'Uploaded', (file) => <Moment key="uploaded" at={file.uploadedAt} />],
  [() => 'Uploaded By', (file) => formatText(file.uploaderName)],
  [() => 'Size', (file) => formatMegabytes(file.size)],
  [() => 'Type', typeNameOf],
];

/** `children` is what can be done about the file. */
export function FileDetails({ file, children }: { file: FileRow; children: ReactNode }) {
  return (
    <section className={classes.panel} aria-labelledby="file-facts">
      <Title order={2} size="h3" id="file-facts">
        Details
      </Title>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <Fragment key={name(file)}>
            <dt>{name(file)}</dt>
            <dd>{value(file)}</dd>
          </Fragment>
        ))}
      </dl>
      <div className={classes.acts}>{children}</div>
    </section>
  );
}

/** Grey lines in the place of the facts. */
export function FileDetailsWaiting() {
  return (
    <div className={classes.panel} aria-hidden>
      <Skeleton height={14} width="5rem" my={4} />
      <div className={classes.facts}>
        {['62%', '74%', '30%', '58%', '80%', '48%', '36%', '30%'].map((width) => (
          <Fragment key={width}>
            <Skeleton height={12} width="4.5rem" my={4} />
            <Skeleton height={12} width={width} my={4} />
          </Fragment>
        ))}
      </div>
    </div>
  );
}
