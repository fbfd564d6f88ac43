// The dialog that gives people who have not joined another link: what it does, and the links that were made.
import { Text } from '@mantine/core';
import { type FormEvent, useLayoutEffect, useState } from 'react';
import { counted, inFigures } from '#contract/plain-words.ts';
import type { UserRow } from '#contract/users.ts';
import { type InvitedAnew, inviteAnew } from '#web/data/invitations.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { invitationLink } from '#web/lib/invitation.ts';
import { namesOf } from '#web/lib/names-of.ts';
import { mailIsOn } from '#web/lib/product.ts';
import { KeepsakeNote, takeKeepsake } from '#web/parts/import/keepsake.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { linksKeepsake } from './links-keepsake.ts';
import { GivenSecrets } from './password-for-user.tsx';
import { useGivenSecrets } from './use-given-secrets.ts';
import { invitingAnew, notCopied, userDone, userFailed } from './user-messages.ts';

const isMailed = ({ email }: Pick<UserRow, 'email'>) => mailIsOn && email !== '';

function keepsakeOf(invited: readonly InvitedAnew[]) {
  const until = invited.at(-1)?.user.invitation?.until;
  return linksKeepsake(
    invited.map(({ user, secret }) => ({ ...user, link: invitationLink(secret) })),
    until === undefined ? '' : formatDateTime(until),
  );
}

export interface InviteAnewProps extends Dialog<readonly UserRow[]> {
  onInvited: (people: readonly UserRow[]) => void;
}

export function InviteAnew({ opened, subject, close, onInvited }: InviteAnewProps) {
  const people = subject ?? [];
  /** How many are through, while they are invited one after the other. */
  const [through, setThrough] = useState<number | null>(null);
  const [invited, setInvited] = useState<readonly InvitedAnew[]>([]);
  const [taken, setTaken] = useState(false);
  const { given, keep, noteCopied, losesOne } = useGivenSecrets(opened);
  useLayoutEffect(() => {
    if (!opened) return;
    setInvited([]);
    setTaken(false);
  }, [opened]);

  const invite = async () => {
    setThrough(0);
    const outcome = await inviteAnew(people, () => setThrough((count) => (count ?? 0) + 1));
    setThrough(null);
    onInvited(outcome.invited.map(({ user }) => user));
    if (outcome.failures.length > 0) {
      const failures = outcome.failures.map(({ file, error }) => ({ file: { originalName: file.fullName }, error }));
      toast.error(userFailed.inviteAnew(namesOf(failures, outcome.invited.length)));
    } else toast.success(userDone.invitedAnew(counted(people.length, 'user')));
    const [first, ...others] = outcome.invited;
    if (first === undefined) return close();
    if (others.length === 0) keep(first.user, { password: null, invitation: first.secret });
    setInvited(outcome.invited);
  };

  const isDone = invited.length > 0;
  const isFile = invited.length > 1;
  const take = () => {
    takeKeepsake(keepsakeOf(invited));
    setTaken(true);
  };
  const losesFile = isFile && !taken && !invited.every(({ user }) => isMailed(user));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDone) void invite();
    else if (losesFile) take();
    else close();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Invite ${people.length === 1 ? people[0]?.fullName : counted(people.length, 'user')} anew`}
      dirty={isFile ? losesFile : losesOne}
      losing={isFile ? importWords.notTaken : notCopied}
      busy={through !== null}
      showsOnce
      onSubmit={submit}
      submitLabel={isDone ? (losesFile ? 'Download Links' : 'Done') : 'Invite Anew'}
      busyLabel={
        people.length === 1 ? 'Inviting...' : `Inviting ${inFigures(through ?? 0)} of ${inFigures(people.length)}...`
      }
      // Who is invited is not left out any more.
      cancellable={!isDone}
      another={isFile && !losesFile ? { label: taken ? importWords.takeAgain : 'Download Links', go: take } : undefined}
    >
      {isFile ? (
        <KeepsakeNote
          title={userDone.invitedAnew(counted(invited.length, 'user'))}
          words={keepsakeOf(invited).words}
          taken={taken}
        />
      ) : isDone ? (
        <GivenSecrets given={given} focus onCopied={noteCopied} />
      ) : (
        <Text>
          {invitingAnew.link(people.length)} {invitingAnew.mailed(people.filter(isMailed).length, people.length)}
        </Text>
      )}
    </FormDialog>
  );
}
