// Users from a CSV: its columns, and the passwords that are generated where the file has none.
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { INVITATION_MS } from '#contract/invitation.ts';
import { counted } from '#contract/plain-words.ts';
import { userImport } from '#contract/users.ts';
import { allRolesQuery } from '#web/data/roles.ts';
import { importUsers } from '#web/data/users.ts';
import { freshKey } from '#web/lib/api-upload.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { generatedPassword } from '#web/lib/generated-password.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { invitationLink, newInvitation } from '#web/lib/invitation.ts';
import { passwordProfile } from '#web/lib/product.ts';
import { ImportDialog } from '#web/parts/import/import-dialog.tsx';
import type { ImportKind } from '#web/parts/import/import-kind.ts';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { listedAccess } from './access-words.ts';
import { linksKeepsake } from './links-keepsake.ts';
import { useRoleFacts } from './role-facts.ts';

type Field = 'fullName' | 'username' | 'email' | 'role' | 'clients' | 'reportTypes' | 'password';

const kind: ImportKind<Field> = {
  title: 'Import Users',
  noun: 'user',
  list: 'users',
  schema: userImport(passwordProfile).shape.rows.element,
  columns: [
    { field: 'fullName', label: 'Full Name', synonyms: ['Name', 'Display Name', 'Person'], example: 'Rosa Okafor' },
    {
      field: 'username',
      label: 'Username',
      synonyms: ['User', 'Login', 'Login Name', 'User ID'],
      // People of many firms sign in by their mail address.
      orSameAs: 'email',
      example: 'rosa.okafor',
    },
    {
      field: 'email',
      label: 'Email',
      synonyms: ['Email Address', 'Mail', 'Mail Address'],
      absent: { value: '', words: 'none' },
      example: 'rosa@example.com',
    },
    { field: 'role', label: 'Role', synonyms: ['Role Name', 'User Role'], example: 'Client' },
    {
      field: 'clients',
      label: 'Clients',
      synonyms: ['Client', 'Client Access', 'Client Name', 'Companies', 'Company'],
      absent: { value: '', words: 'no clients' },
      example: 'Harbor & Pine Bakery LLC; Larch Street Dental',
    },
    {
      field: 'reportTypes',
      label: 'Report Types',
      synonyms: ['Report Type', 'Report Access', 'Reports', 'Types'],
      absent: { value: '', words: 'no report types' },
      example: 'All',
    },
    {
      field: 'password',
      label: 'Password',
      synonyms: ['Initial Password', 'First Password'],
      absent: { value: '', words: 'made here' },
      // Every character counts, outer spaces too.
      read: (cell) => cell,
      show: () => '••••••',
      example: '',
    },
  ],
};

/** What is made for the people of one list. */
const newlyMade = () => ({
  /** Where an answer was lost, those who were added and their passwords are known by it when they are sent again. */
  idempotencyKey: freshKey(),
  /** By row, so that judging the rows again does not change them. */
  passwords: new Map<number, string>(),
  /** Of each password that was made here, the link that is sent in its place where people are invited. */
  links: new Map<string, string>(),
});

export function ImportUsers(dialog: Pick<Dialog<never>, 'opened' | 'close'>) {
  /** By what each list says: another one gets nothing of the first, which is known again where it is chosen again. */
  const lists = useRef(new Map<string, ReturnType<typeof newlyMade>>());
  const made = useRef(newlyMade());
  const [invites, setInvites] = useState(true);
  const send = (rows: Record<Field, string>[], dryRun: boolean) =>
    importUsers(
      rows.map((row) => {
        const invitation = invites ? made.current.links.get(row.password) : undefined;
        return invitation === undefined ? row : { ...row, password: null, invitation };
      }),
      { dryRun, idempotencyKey: made.current.idempotencyKey },
    );
  const roleFacts = useRoleFacts();
  const roles = useQuery({ ...allRolesQuery(), enabled: dialog.opened }).data?.rows ?? [];
  return (
    <ImportDialog
      {...dialog}
      close={() => {
        lists.current.clear();
        setInvites(true);
        dialog.close();
      }}
      kind={kind}
      onSheet={({ header, rows }) => {
        const words = JSON.stringify([header, rows]);
        made.current = lists.current.get(words) ?? newlyMade();
        lists.current.set(words, made.current);
      }}
      send={send}
      choice={
        <Checkbox
          label={importWords.invite}
          checked={invites}
          onChange={({ currentTarget }) => setInvites(currentTarget.checked)}
        />
      }
      complete={({ row, values }) => {
        const { passwords, links } = made.current;
        if (values.password !== '') {
          passwords.delete(row);
          return values;
        }
        const password = passwords.get(row) ?? generatedPassword();
        passwords.set(row, password);
        if (!links.has(password)) links.set(password, newInvitation());
        return { ...values, password };
      }}
      warningOf={({ values }) => {
        const name = values.role.trim().toLowerCase();
        const role = roles.find((one) => one.name.toLowerCase() === name);
        if (role === undefined || roleFacts.reachesAll(role.id)) return null;
        return listedAccess({ ...values, isClient: role.systemKey === 'client' });
      }}
      keepsakeOf={(rows) => {
        const { passwords, links } = made.current;
        const given = rows.filter(({ row }) => passwords.has(row));
        if (given.length === 0) return null;
        if (invites) {
          return linksKeepsake(
            given.map(({ values: { password, ...person } }) => ({
              ...person,
              link: invitationLink(links.get(password) ?? ''),
            })),
            formatDateTime(new Date(Date.now() + INVITATION_MS).toISOString()),
          );
        }
        return {
          words: importWords.passwords(counted(given.length, 'user')),
          label: 'Download Passwords',
          fileName: 'passwords.csv',
          lines: [
            ['Full Name', 'Username', 'Password'],
            ...given.map(({ values }) => [values.fullName, values.username, values.password]),
          ],
        };
      }}
    />
  );
}
