// What roles may do and who can see what.

import { PageHeader } from '#web/ui/page-header.tsx';

export function PermissionsScreen() {
  return <PageHeader title="User Permissions" />;
}
