// The screen of roles.

import { PageHeader } from '#web/ui/page-header.tsx';

export function RolesScreen() {
  return <PageHeader title="Roles" />;
}
