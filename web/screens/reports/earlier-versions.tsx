// What the file that is shown took the place of, for staff: each is viewed, downloaded and put back here.
import { Button, Text, Title } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { FileVersion, FileVersions } from '#contract/file-versions.ts';
import type { FileRow } from '#contract/files.ts';
import { formatMegabytes } from '#web/lib/format.ts';
import { putBackWords, versionWords } from '#web/lib/version-messages.ts';
import { FileIconActions } from '#web/parts/files/file-actions.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { IconButton, IconRow } from '#web/ui/icon-button.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import classes from './earlier-versions.module.css';
import type { ToBePutBack } from './put-back-dialog.tsx';
import report from './report.module.css';

const AT_FIRST = 3;
const loadPutBackDialog = async () => (await import('./put-back-dialog.tsx')).PutBackDialog;

export interface EarlierVersionsProps {
  file: FileRow;
  versions: FileVersions | null;
  /** While the file goes to the trash it is not loaded again. */
  onTrashing: (isTrashing: boolean) => void;
  /** Goes to the file that is put back in the place of this one. */
  onReplaced: (id: number) => void;
}

/** Nothing where there are none, or they are not for the viewer. */
export function EarlierVersions({ file, versions, onTrashing, onReplaced }: EarlierVersionsProps) {
  const [showsAll, setShowsAll] = useState(false);
  const [goesTo, setGoesTo] = useState<number | null>(null);
  const replaced = useRef(onReplaced);
  replaced.current = onReplaced;
  // Once the dialog is closed, which keeps its person on the page while it is busy.
  useEffect(() => {
    if (goesTo !== null) replaced.current(goesTo);
  }, [goesTo]);
  const dialog = useLazyDialog<ToBePutBack>(loadPutBackDialog);
  if (versions === null || versions.total === 0) return null;
  const shown = showsAll ? versions.rows : versions.rows.slice(0, AT_FIRST);
  const unshown = versions.total - versions.rows.length;
  return (
    <section className={report.panel} aria-labelledby="earlier-versions">
      <Title order={2} size="h3" id="earlier-versions">
        {versionWords.title}
      </Title>
      <ol className={classes.list} data-all={showsAll || undefined} aria-labelledby="earlier-versions">
        {shown.map((version) => (
          <Version
            key={version.id}
            version={version}
            onPutBack={() => void dialog.open({ version, file, onTrashing, onTrashed: setGoesTo })}
          />
        ))}
      </ol>
      {versions.rows.length > AT_FIRST ? (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={10}
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? versionWords.showFewer : versionWords.showAll(versions.rows.length)}
        </Button>
      ) : null}
      {shown.length === versions.rows.length && unshown > 0 ? (
        <Text c="dimmed" size="sm" mt={10}>
          {versionWords.more(unshown)}
        </Text>
      ) : null}
      {dialog.element}
    </section>
  );
}

function Version({ version, onPutBack }: { version: FileVersion; onPutBack: () => void }) {
  const { nth, originalName, size, uploadedAt, uploaderName, replacedAt, replacedByName, because, opened } = version;
  return (
    <li value={nth} className={classes.version}>
      <p className={classes.name}>
        <span className={classes.nth}>{nth}</span>
        <Breakable text={originalName} />
      </p>
      <p className={classes.fact}>
        {uploaderName}, <Moment at={uploadedAt} /> · {formatMegabytes(size)}
      </p>
      <p className={classes.fact}>
        Replaced by {replacedByName}, <Moment at={replacedAt} />
        {because === null ? null : <>: {because}</>}
      </p>
      {opened === null ? null : (
        <p className={classes.fact}>
          {versionWords.opened(opened)} {opened.at === null ? null : <Moment at={opened.at} />}
        </p>
      )}
      <IconRow>
        <FileIconActions file={version} name={originalName} />
        {version.mayPutBack ? (
          <IconButton
            label={`${putBackWords.label} ${originalName}`}
            tip={putBackWords.label}
            icon={<IconArrowBackUp size={17} aria-hidden />}
            onClick={onPutBack}
          />
        ) : null}
      </IconRow>
    </li>
  );
}
