// The settings of the signed-in person.

import { PageHeader } from '#web/ui/page-header.tsx';

export function AccountSettingsScreen() {
  return <PageHeader title="Account Settings Page" />;
}
