// What to do next in a firm that is still empty: each step opens what it names and is ticked once the thing is there, whoever made it.
import { Button, CloseButton, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled, IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { FirstSteps as Found } from '#contract/first-steps.ts';
import { mayAttempt } from '#contract/policy.ts';
import { firstStepsQuery, useDismissFirstSteps } from '#web/data/first-steps.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { opensTab } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { UsualReportTypesButton } from '#web/parts/report-types/usual-report-types-button.tsx';
import { lookAction } from '#web/parts/users/look-action.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { type Address, PageLink, type PagePath } from '#web/ui/page-link.ts';
import { toast } from '#web/ui/toast.tsx';
import classes from './first-steps.module.css';

type Steps = NonNullable<Found['steps']>;

interface Step {
  readonly name: string;
  readonly words: string;
  readonly isDone: boolean;
  readonly action: ReactNode;
}

interface Place {
  readonly to: PagePath;
  readonly search: Address;
}

function Go({ to, search, label }: Place & { label: string }) {
  return (
    <Button component={PageLink} to={to} search={search} variant="default" size="xs">
      {label}
    </Button>
  );
}

type Seeing = NonNullable<Steps['sees']>;

/** Opens the portal as the person has it, in a tab of its own. */
function See({ person, variant }: { person: Seeing; variant: 'default' | 'filled' }) {
  return (
    <Button variant={variant} size="xs" aria-description={opensTab} onClick={lookAction(person, true).onClick}>
      {`See What ${person.fullName} Sees`}
    </Button>
  );
}

/** What a page opens at its address. */
const opening = (to: PagePath, what: string): Place => ({ to, search: { do: what } });

const stepsOf = (found: Steps): readonly Step[] => [
  {
    name: 'Your password',
    words: 'choose one that only you know, in place of the one that the server was started with',
    isDone: found.signInChanged,
    action: <Go {...opening('/account-settings', 'password')} label="Change Password" />,
  },
  {
    name: 'Support address',
    words: 'where people who cannot sign in write for help',
    isDone: found.supportAddress,
    action: <Go {...opening('/firm-settings', 'support')} label="Set Address" />,
  },
  {
    name: 'Report types',
    words: 'what reports are filed under',
    isDone: found.reportTypes,
    action: (
      <>
        <UsualReportTypesButton />
        <Go {...opening('/report-types', 'add')} label="Add Your Own" />
      </>
    ),
  },
  {
    name: 'Clients',
    words: 'one by one, or all at once from a CSV file',
    isDone: found.clients,
    action: (
      <>
        <Go {...opening('/clients', 'add')} label="Add Client" />
        <Go {...opening('/clients', 'import')} label="Import Clients" />
      </>
    ),
  },
  {
    name: 'A user of a client',
    words:
      'they see a report only where both of their lists have it, clients and report types; invited by a link, they choose their own password',
    isDone: found.clientUser,
    action: (
      <>
        <Go {...opening('/users', 'add-client-user')} label="Add User" />
        <Go {...opening('/users', 'import')} label="Import Users" />
      </>
    ),
  },
  {
    name: 'A first report',
    words: 'for a client and of a report type in the lists of that user',
    isDone: found.sees !== null,
    action: <Go {...opening('/file-upload', 'upload')} label="Upload Files" />,
  },
];

/** Where the guide belongs: with those who may do all of it. */
function useSteps(): Steps | null {
  const viewer = useSessionUser();
  const mayAll = (
    ['first-steps.read', 'report-types.create', 'clients.create', 'users.create', 'files.upload'] as const
  ).every((action) => mayAttempt(viewer, action));
  // Where it cannot be read there is no guide: nothing else here depends on it.
  return useQuery({ ...firstStepsQuery(), enabled: mayAll }).data?.steps ?? null;
}

export function FirstSteps() {
  const found = useSteps();
  const dismissal = useDismissFirstSteps();
  const headingId = useId();
  if (found === null) return null;

  const steps = stepsOf(found);
  const finished = steps.filter(({ isDone }) => isDone).length;
  const { sees } = found;
  const isOver = finished === steps.length && sees !== null;

  const bringBack = async () => {
    try {
      await dismissal.mutateAsync(false);
    } catch (error) {
      toastFault(error, (reason) => `Failed to bring the first steps back: ${reason}`);
    }
  };
  const dismiss = async () => {
    if (dismissal.isPending) return;
    try {
      await dismissal.mutateAsync(true);
      // The pressed button goes with the guide.
      document.getElementById('main')?.focus();
      toast.undoable('First steps dismissed for everybody', () => void bringBack());
    } catch (error) {
      toastFault(error, (reason) => `Failed to dismiss the first steps: ${reason}`);
    }
  };

  return (
    <section className={classes.steps} aria-labelledby={headingId} data-screen-only>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Group gap="sm">
          <Title order={3} size="h4" id={headingId}>
            First steps
          </Title>
          {/* Also when somebody else has taken a step. */}
          <Text size="sm" c="dimmed" role="status">
            {`${finished} of ${steps.length} done`}
          </Text>
        </Group>
        <CloseButton aria-label="Dismiss first steps" onClick={() => void dismiss()} />
      </Group>
      {isOver ? (
        <div className={classes.end}>
          <Text>{`Your firm is set up: ${sees.fullName} sees a first report. Look at it as they do, then add your other clients.`}</Text>
          <Group gap="xs">
            <See person={sees} variant="filled" />
            <Go {...opening('/clients', 'import')} label="Import Clients" />
            <BusyButton variant="default" size="xs" busy={dismissal.isPending} onClick={() => void dismiss()}>
              Dismiss
            </BusyButton>
          </Group>
        </div>
      ) : (
        <ol className={classes.list}>
          {steps.map(({ name, words, isDone, action }) => (
            <li key={name} className={classes.step} data-done={isDone || undefined}>
              <span className={classes.mark} aria-hidden>
                {isDone ? <IconCircleCheckFilled size={20} /> : <IconCircle size={20} />}
              </span>
              <span className={classes.words}>
                <Text span inherit fw={500}>
                  {name}:
                </Text>{' '}
                {words}
                {isDone ? <VisuallyHidden> (done)</VisuallyHidden> : null}
              </span>
              {isDone ? null : (
                <Group gap="xs" component="span" className={classes.actions ?? ''}>
                  {action}
                </Group>
              )}
            </li>
          ))}
          <li className={classes.step}>
            <span className={classes.mark} aria-hidden>
              <IconEye size={20} stroke={1.5} />
            </span>
            <span className={classes.words}>
              <Text span inherit fw={500}>
                See what this client sees:
              </Text>{' '}
              {sees === null ? 'once there is a report for them' : `the portal as ${sees.fullName} has it`}
            </span>
            {sees === null ? null : (
              <span className={classes.actions}>
                <See person={sees} variant="default" />
              </span>
            )}
          </li>
        </ol>
      )}
    </section>
  );
}
