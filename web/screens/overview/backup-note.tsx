// How the portal is backed up, for those who look after it: a warning above all else, or a quiet line below it.
import { Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Overview } from '#contract/activity.ts';
import { backupWarnings } from '#contract/backup-words.ts';
import { sizeWords } from '#contract/plain-words.ts';
import { mayAttempt } from '#contract/policy.ts';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { PageLink } from '#web/ui/page-link.ts';
import classes from '#web/ui/warned-card.module.css';

type Backup = NonNullable<Overview['backup']>;

const files = (count: number) => `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;

/** What is wrong with it, in whole sentences; null where nothing is. */
function warningOf(backup: Backup): string | null {
  const { last, fault, isOld } = backup;
  const [worst] = backupWarnings(backup);
  if (worst === undefined) return null;
  // The last one is itself the one that is not whole, or there is none to name.
  if (fault === null && (!isOld || last === null)) return `${worst.says} ${worst.toDo}`;
  return last === null
    ? `${worst.says} There is no backup yet.`
    : `${worst.says} The last one that succeeded is of ${formatDateTime(last.endedAt)}.`;
}

export function BackupWarning({ backup }: { backup: Backup | null | undefined }) {
  const warning = backup ? warningOf(backup) : null;
  if (warning === null) return null;
  return (
    <div className={classes.card ?? ''} role="status">
      <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
      <span>{warning}</span>
    </div>
  );
}

/** Null is what everybody else is told as well: only to who looks after the portal does it say that there is none. */
export function BackupLine({ backup }: { backup: Backup | null | undefined }) {
  const viewer = useSessionUser();
  if (backup === undefined || (backup === null ? !mayAttempt(viewer, 'system.read') : warningOf(backup) !== null)) {
    return null;
  }
  return (
    <Text size="sm" c="dimmed" mt="xl" style={{ overflowWrap: 'anywhere' }}>
      {backup === null ? <NoBackup /> : wordsOf(backup)}
    </Text>
  );
}

function wordsOf({ last }: Backup): string {
  if (last === null) return 'The first backup has not ended yet.';
  return `Last backup: ${formatDateTime(last.endedAt)}, ${files(last.files)}, ${sizeWords(last.sizeBytes)}, whole. It is at ${last.place}.`;
}

function NoBackup() {
  return (
    <>
      There is no backup of this firm.{' '}
      <Anchor component={PageLink} to="/system" inherit underline="always">
        System
      </Anchor>{' '}
      says how one is made.
    </>
  );
}
