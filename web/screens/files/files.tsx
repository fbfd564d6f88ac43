// The screen of uploaded files.

import { PageHeader } from '#web/ui/page-header.tsx';

export function FilesScreen() {
  return <PageHeader title="Files" />;
}
