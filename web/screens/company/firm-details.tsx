// The details of a client company.

import { PageHeader } from '#web/ui/page-header.tsx';

export function FirmDetailsScreen() {
  return <PageHeader title="Company Details" />;
}
