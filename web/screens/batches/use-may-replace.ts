// Whether a person may have a file replaced that is there already: it goes to the trash then.
import { may } from '#contract/policy.ts';
import { useSessionUser } from '#web/lib/session.ts';

export const useMayReplace = () => may(useSessionUser(), 'files.delete', { fileType: 'report', uploadedById: null });
