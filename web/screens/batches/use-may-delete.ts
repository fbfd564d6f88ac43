// Whether a person may have a file replaced that is there already: it is kept as an earlier version then, and leaves the lists.
import { may } from '#contract/policy.ts';
import { useSessionUser } from '#web/lib/session.ts';

export const useMayReplace = () => may(useSessionUser(), 'files.delete', { fileType: 'report', uploadedById: null });
