// The activity log.

import { PageHeader } from '#web/ui/page-header.tsx';

export function ActivityScreen() {
  return <PageHeader title="Activity Log" />;
}
