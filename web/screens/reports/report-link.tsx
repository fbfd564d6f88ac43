// A file's name in a list of reports: links to the file, with the list's filters.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FileRow } from '#contract/files.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { placeInList, type ShownList } from './list-address.ts';

export function ReportLink({ file, list }: { file: FileRow; list: ShownList }) {
  return (
    <Anchor
      component={Link}
      to="/cpa-dashboard/report/$id"
      params={{ id: String(file.id) } as never}
      search={((address: Record<string, string>) => placeInList(address, list)) as never}
      inherit
      style={{ overflowWrap: 'anywhere' }}
    >
      <Breakable text={file.originalName} />
    </Anchor>
  );
}
