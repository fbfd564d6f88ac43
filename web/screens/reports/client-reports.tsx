// The reports screen of Client users.

import { PageHeader } from '#web/ui/page-header.tsx';

export function ClientReportsScreen() {
  return <PageHeader title="Reports" />;
}
