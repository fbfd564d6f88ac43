// Puts a file on hold; also one that is on hold with its client alone, which the end of that hold would free.
import { useQuery } from '@tanstack/react-query';
import type { FileRow } from '#contract/files.ts';
import { may } from '#contract/policy.ts';
import { holdsQuery } from '#web/data/holds.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { fileToHold, HoldButton } from '#web/parts/retention/hold-button.tsx';

export function FileHoldButton({ file }: { file: FileRow }) {
  const user = useSessionUser();
  // The same that the notice above the file tells of.
  const holds = useQuery({ ...holdsQuery({ fileId: file.id }), enabled: file.onHold && may(user, 'holds.manage') });
  const kinds = holds.data?.map(({ kind }) => kind) ?? [];
  const withClient = file.onHold && kinds.includes('client') && !kinds.includes('file');
  return <HoldButton item={fileToHold(file)} held={file.onHold} withClient={withClient} />;
}
