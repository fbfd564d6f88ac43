// The screen of users.

import { PageHeader } from '#web/ui/page-header.tsx';

export function UsersScreen() {
  return <PageHeader title="User Management" />;
}
