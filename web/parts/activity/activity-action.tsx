// How an action of the activity log looks: its label, its icon, its badge.

import { Badge, Box, VisuallyHidden } from '@mantine/core';
import { IconDownload, IconEye, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react';
import type { ActivityRow } from '#contract/activity.ts';
import { type ActivityAction, activityLabel } from '#contract/activity-words.ts';
import { NOTHING } from '#web/lib/format.ts';
import { ClientLink } from '../clients/client-link.tsx';

const icons: Record<ActivityAction, typeof IconEye> = {
  upload: IconUpload,
  download: IconDownload,
  view: IconEye,
  delete: IconTrash,
  update: IconPencil,
};

const colors: Record<ActivityAction, string> = {
  upload: 'var(--coffer-success)',
  download: 'var(--mantine-color-anchor)',
  view: 'var(--mantine-color-dimmed)',
  delete: 'var(--coffer-danger)',
  update: 'var(--mantine-color-dimmed)',
};

/** Said where somebody reads of what nobody else has done. */
export const OWN_ACTIVITY = 'Your own activity';

/** The widths of columns of these icons and badges. */
export const ACTIVITY_ICON_WIDTH = '46px';
export const ACTIVITY_BADGE_WIDTH = '120px';

/** Decorative: the badge next to it has the same text, and is alone on a card. */
export function ActivityIcon({ action }: { action: ActivityAction }) {
  const Icon = icons[action];
  return (
    <Box component="span" display="inline-flex" c={colors[action]} style={{ verticalAlign: 'middle' }} aria-hidden>
      <Icon size={17} stroke={1.75} />
    </Box>
  );
}

export function ActivityBadge({ entry }: { entry: Pick<ActivityRow, 'action' | 'details'> }) {
  return <Badge miw="max-content">{activityLabel(entry)}</Badge>;
}

/** The client that an entry is about; a dash where it is about none. */
export function ActivityClient({ entry }: { entry: Pick<ActivityRow, 'clientId' | 'clientName'> }) {
  if (entry.clientId !== null || entry.clientName !== null) {
    return <ClientLink id={entry.clientId} name={entry.clientName} />;
  }
  return (
    <>
      <span aria-hidden>{NOTHING}</span>
      <VisuallyHidden>No client</VisuallyHidden>
    </>
  );
}
