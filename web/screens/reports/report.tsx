// One report by id.
import { PageHeader } from '#web/ui/page-header.tsx';

export function ReportScreen({ reportId }: { reportId: number }) {
  return <PageHeader title={`Report ${reportId}`} />;
}
