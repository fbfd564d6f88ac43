// The overview of an Admin.

import { PageHeader } from '#web/ui/page-header.tsx';

export function OverviewScreen() {
  return <PageHeader title="Welcome" />;
}
