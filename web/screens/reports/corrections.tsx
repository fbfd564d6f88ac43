// What corrects the file that is shown, what it corrects itself, and who opened the one before.
import { Skeleton } from '@mantine/core';
import { IconArrowBackUp, IconPencilCheck, IconReplace } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FileRow } from '#contract/files.ts';
import { activityReach } from '#contract/policy/reach.ts';
import { activityQuery } from '#web/data/activity.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { versionWords } from '#web/lib/version-messages.ts';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { placeWithoutPage } from '#web/parts/files/page-of-report.ts';
import { Moment } from '#web/ui/moment.tsx';
import classes from './report.module.css';
import { correctionFacts } from './report-messages.ts';

export function Corrections({ file: { corrects, correctedBy } }: { file: FileRow }) {
  const user = useSessionUser();
  if (corrects === null && correctedBy === null) return null;
  return (
    <section className={classes.corrections} aria-label="Corrections">
      {correctedBy === null ? null : (
        <p data-corrected>
          <IconPencilCheck size={16} aria-hidden />
          <span>
            <b>Corrected by</b>{' '}
            <LinkToFile id={correctedBy.id} name={correctedBy.originalName} search={placeWithoutPage} />, on{' '}
            <Moment at={correctedBy.uploadedAt} />
          </span>
        </p>
      )}
      {corrects === null ? null : (
        <>
          <p>
            <IconArrowBackUp size={16} aria-hidden />
            <span>
              <b>Corrects</b> <LinkToFile id={corrects.id} name={corrects.originalName} search={placeWithoutPage} />
            </span>
          </p>
          {activityReach(user) === 'own' ? null : <WhoOpenedEarlier fileId={corrects.id} />}
        </>
      )}
    </section>
  );
}

/** The address was that of an earlier version. */
export function LedHere() {
  return (
    <section className={classes.corrections} aria-label="Replaced">
      <p>
        <IconReplace size={16} aria-hidden />
        <span>{versionWords.led}</span>
      </p>
    </section>
  );
}

/** As many as the log shows without asking who is there. */
const READ_AT_MOST = 50;

/** Those who have opened or downloaded the earlier file, as far as the viewer reads the log: they should look at this one. */
function WhoOpenedEarlier({ fileId }: { fileId: number }) {
  const views = useQuery(activityQuery({ fileId, action: 'view', limit: READ_AT_MOST }));
  const downloads = useQuery(activityQuery({ fileId, action: 'download', limit: READ_AT_MOST }));
  const error = views.error ?? downloads.error;
  if (error) return <p className={classes.opened}>{correctionFacts.unread(error.message)}</p>;
  if (!views.data || !downloads.data) {
    return (
      <div className={classes.opened} aria-hidden>
        <Skeleton height={12} width="16rem" maw="80%" my={4} />
      </div>
    );
  }
  const rows = [...views.data.rows, ...downloads.data.rows].filter(({ announcedOnly }) => !announcedOnly);
  const names = new Map(rows.map(({ userId, userName }) => [userId ?? userName, userName]));
  const isAll = [views.data, downloads.data].every(({ rows: shown, total }) => total <= shown.length);
  return <p className={classes.opened}>{correctionFacts.opened([...names.values()], isAll)}</p>;
}
