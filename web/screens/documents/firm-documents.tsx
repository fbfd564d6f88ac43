// The documents of client companies.

import { PageHeader } from '#web/ui/page-header.tsx';

export function FirmDocumentsScreen() {
  return <PageHeader title="Firm Documents" />;
}
