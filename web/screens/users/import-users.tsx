// Users from a CSV: its columns, and the passwords that are generated where the file has none.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { counted } from '#contract/plain-words.ts';
import { userImport } from '#contract/users.ts';
import { allRolesQuery } from '#web/data/roles.ts';
import { importUsers } from '#web/data/users.ts';
import { generatedPassword } from '#web/lib/generated-password.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { passwordProfile } from '#web/lib/product.ts';
import { ImportDialog, type ImportKind } from '#web/parts/import/import-dialog.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { missingAccess } from './access-words.ts';
import { useRoleFacts } from './role-facts.ts';

type Field = 'fullName' | 'username' | 'role' | 'clients' | 'reportTypes' | 'password';

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
      synonyms: ['User', 'Login', 'Login Name', 'User ID', 'Email', 'Email Address'],
      example: 'rosa.okafor',
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
      absent: { value: '', words: 'generated' },
      // Every character counts, outer spaces too.
      read: (cell) => cell,
      show: () => '••••••',
      example: '',
    },
  ],
};

export function ImportUsers(dialog: Pick<Dialog<never>, 'opened' | 'close'>) {
  /** By row, so that judging the rows again does not change them. */
  const generated = useRef(new Map<number, string>());
  const roleFacts = useRoleFacts();
  const roles = useQuery({ ...allRolesQuery(), enabled: dialog.opened }).data?.rows ?? [];
  return (
    <ImportDialog
      {...dialog}
      close={() => {
        generated.current.clear();
        dialog.close();
      }}
      kind={kind}
      send={importUsers}
      complete={({ row, values }) => {
        if (values.password !== '') {
          generated.current.delete(row);
          return values;
        }
        const password = generated.current.get(row) ?? generatedPassword();
        generated.current.set(row, password);
        return { ...values, password };
      }}
      warningOf={({ values }) => {
        const name = values.role.trim().toLowerCase();
        const role = roles.find((one) => one.name.toLowerCase() === name);
        if (role === undefined || roleFacts.reachesAll(role.id)) return null;
        return missingAccess({
          fullName: values.fullName,
          hasClients: values.clients.trim() !== '',
          hasReportTypes: values.reportTypes.trim() !== '',
        });
      }}
      keepsakeOf={(rows) => {
        const made = rows.filter(({ row }) => generated.current.has(row));
        if (made.length === 0) return null;
        return {
          words: importWords.passwords(counted(made.length, 'user')),
          label: 'Download Passwords',
          fileName: 'passwords.csv',
          lines: [
            ['Full Name', 'Username', 'Password'],
            ...made.map(({ values }) => [values.fullName, values.username, values.password]),
          ],
        };
      }}
    />
  );
}
