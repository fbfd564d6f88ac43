// Whether a person may take reports away: have one replaced that is there already, which leaves the lists, or recall one that was released.
import { may } from '#contract/policy.ts';
import { useSessionUser } from '#web/lib/session.ts';

export const useMayDelete = () => may(useSessionUser(), 'files.delete', { fileType: 'report', uploadedById: null });
