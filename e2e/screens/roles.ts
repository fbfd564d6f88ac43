// The screens of roles and of what each person may do and see.
import type { Screen } from './screen.ts';
import { dialog } from './states.ts';

export const rolesScreens: readonly Screen[] = [
  {
    name: 'roles',
    path: '/roles',
    heading: 'Roles',
    states: [dialog('add', 'Add Role'), dialog('edit', /^Edit /), dialog('delete', /^Delete /)],
  },
  {
    name: 'permissions',
    path: '/permissions',
    heading: 'User Permissions',
    states: [dialog('edit', /^Edit /)],
  },
  {
    name: 'permissions-user',
    path: ({ username }) => `/permissions?tab=who&user=${username}`,
    heading: 'User Permissions',
    states: [],
  },
  {
    name: 'permissions-client',
    path: ({ clientId }) => `/permissions?tab=who&by=client&client=${clientId}`,
    heading: 'User Permissions',
    states: [],
  },
];
