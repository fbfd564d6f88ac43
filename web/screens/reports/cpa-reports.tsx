// The reports screen of firm staff.

import { PageHeader } from '#web/ui/page-header.tsx';

export function CpaReportsScreen() {
  return <PageHeader title="Payroll Reports" />;
}
