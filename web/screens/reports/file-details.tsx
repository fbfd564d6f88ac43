// The details of a file, next to the file itself.
import { Skeleton, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { FileRow } from '#contract/files.ts';
import { formatClientName, formatDateTime, formatMegabytes, formatText } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import classes from './report.module.css';
import { typeNameOf } from './viewer/file-kind.ts';

const facts: readonly (readonly [name: (file: FileRow) => string, value: (file: FileRow) => string])[] = [
  [() => 'File Name', (file) => file.originalName],
  [() => 'Client', (file) => formatClientName(file.clientName)],
  [
    (file) => (file.fileType === 'report' ? 'Report Type' : 'Document Type'),
    (file) => (file.fileType === 'report' ? formatText(file.reportTypeName) : (file.documentType ?? 'Other')),
  ],
  [() => 'Uploaded', (file) => formatDateTime(file.uploadedAt)],
  [() => 'Uploaded By', (file) => formatText(file.uploaderName)],
  [() => 'Size', (file) => formatMegabytes(file.size)],
  [() => 'Type', typeNameOf],
];

/** `children` is what can be done about the file. */
export function FileDetails({ file, children }: { file: FileRow; children: ReactNode }) {
  return (
    <section className={classes.panel} aria-labelledby="file-facts">
      <Title order={3} id="file-facts">
        Details
      </Title>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <Fragment key={name(file)}>
            <dt>{name(file)}</dt>
            <dd>
              <Breakable text={value(file)} />
            </dd>
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
        {['62%', '74%', '58%', '80%', '48%', '36%', '30%'].map((width) => (
          <Fragment key={width}>
            <Skeleton height={12} width="4.5rem" my={4} />
            <Skeleton height={12} width={width} my={4} />
          </Fragment>
        ))}
      </div>
    </div>
  );
}
