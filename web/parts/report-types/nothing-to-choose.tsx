// In a dialog that lacks what it needs: says so, and leads whoever may make it to where it is made.
import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { mayAttempt } from '#contract/policy.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import classes from './nothing-to-choose.module.css';
import { UsualReportTypesButton } from './usual-report-types-button.tsx';

const kinds = {
  clients: { none: empty.checklistClients, action: 'clients.create', to: '/clients', label: 'Add a client' },
  reportTypes: {
    none: empty.checklistReportTypes,
    action: 'report-types.create',
    to: '/report-types',
    label: 'Add your own',
  },
} as const;

export function NothingToChoose({ of }: { of: keyof typeof kinds }) {
  const viewer = useSessionUser();
  const { none, action, to, label } = kinds[of];
  const words = <span>{none}</span>;
  // Whoever sees by lists has a client that they add in their own, and a report type not.
  const helps = of === 'clients' || viewer.reach === 'all';
  if (!(helps && mayAttempt(viewer, action))) return <>{words}. Please ask an administrator.</>;
  return (
    <Group component="span" className={classes.offer ?? ''} gap="xs">
      {words}
      {of === 'reportTypes' ? <UsualReportTypesButton /> : null}
      <Anchor
        inherit
        underline="always"
        className={classes.link ?? ''}
        renderRoot={(props) => <Link to={to} search={{ do: 'add' }} {...props} />}
      >
        {label}
      </Anchor>
    </Group>
  );
}
