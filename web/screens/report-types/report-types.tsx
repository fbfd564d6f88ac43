// The screen of report types.

import { PageHeader } from '#web/ui/page-header.tsx';

export function ReportTypesScreen() {
  return <PageHeader title="Report Types" />;
}
