// What to do next in a firm that is still empty: gone once everything is there, or dismissed.
import { Button, CloseButton, Group, Title, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { Overview } from '#contract/activity.ts';
import { mayAttempt } from '#contract/policy.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { isSupportNamed, supportEmail } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { UsualReportTypesButton } from '#web/parts/usual-report-types-button.tsx';
import classes from './first-steps.module.css';

/** In this browser, for whoever uses it: the guide is of no use twice. */
const DISMISSED = 'firstStepsDismissed';

interface Step {
  readonly words: string;
  readonly isDone: boolean;
  readonly action: ReactNode;
}

const go = (to: string, label: string) => (
  <Button component={Link} to={to} variant="default" size="xs">
    {label}
  </Button>
);

export function FirstSteps({ totals }: { totals: Overview['totals'] | undefined }) {
  const viewer = useSessionUser();
  const [isDismissed, setDismissed] = useLocalStorage<boolean>({
    key: DISMISSED,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const mayAll =
    viewer.reach === 'all' &&
    (['report-types.create', 'clients.create', 'users.create', 'files.upload'] as const).every((action) =>
      mayAttempt(viewer, action),
    );
  // Who sees all users has their number; for anyone else the guide is not.
  const users = totals?.users ?? 2;
  const lacks = totals !== undefined && (totals.clients === 0 || users <= 1 || totals.files === 0);
  const isShown = mayAll && !isDismissed && lacks;
  const types = useQuery({ ...allReportTypesQuery(), enabled: isShown });
  const headingId = useId();
  if (!isShown || types.data === undefined) return null;

  const steps: readonly Step[] = [
    {
      words: 'Report types: what reports are filed under',
      isDone: types.data.total > 0,
      action: (
        <>
          <UsualReportTypesButton />
          {go('/report-types', 'Choose Report Types')}
        </>
      ),
    },
    {
      words: 'Clients: one by one, or all at once from a CSV file',
      isDone: totals.clients > 0,
      action: go('/clients', 'Add Clients'),
    },
    {
      words: 'Users: colleagues, and the people of your clients',
      isDone: users > 1,
      action: go('/users', 'Add Users'),
    },
    {
      words: 'Files: a first report for a client',
      isDone: totals.files > 0,
      action: go('/file-upload', 'Upload Files'),
    },
    ...(isSupportNamed
      ? []
      : [
          {
            words: `Support: "Contact Support" writes to ${supportEmail}, unless SUPPORT_EMAIL names another address where the server is set up`,
            isDone: false,
            action: null,
          },
        ]),
  ];

  return (
    <section className={classes.steps} aria-labelledby={headingId}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Title order={3} size="h4" id={headingId}>
          First steps
        </Title>
        <CloseButton
          aria-label="Dismiss first steps"
          onClick={() => {
            setDismissed(true);
            // The pressed button goes with the guide.
            document.getElementById('main')?.focus();
          }}
        />
      </Group>
      <ol className={classes.list}>
        {steps.map(({ words, isDone, action }) => (
          <li key={words} className={classes.step} data-done={isDone || undefined}>
            <span className={classes.mark} aria-hidden>
              {isDone ? <IconCircleCheckFilled size={20} /> : <IconCircle size={20} />}
            </span>
            <span className={classes.words}>
              {words}
              {isDone ? <VisuallyHidden> (done)</VisuallyHidden> : null}
            </span>
            {isDone ? null : (
              <Group gap="xs" component="span">
                {action}
              </Group>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
