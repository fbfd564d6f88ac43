// Whether a person may release a document that was accepted: with four eyes, somebody else does.
import { useQuery } from '@tanstack/react-query';
import type { DocumentRow } from '#contract/batches.ts';
import { firmSettingsQuery } from '#web/data/firm-settings.ts';

/** Until the firm's setting is known, everybody may: the server decides. */
export function useMayRelease(): (document: DocumentRow) => boolean {
  const { data } = useQuery(firmSettingsQuery());
  return ({ acceptedByMe }) => data?.fourEyes !== true || !acceptedByMe;
}
