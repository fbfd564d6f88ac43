// How the overview words what became of a file (spec 8 words it differently here).

import { ApiFault } from '#web/lib/api.ts';
import { failed, titles, unknownReason } from '#web/lib/messages.ts';
import type { FileToasts } from '#web/parts/file-actions.tsx';

export const fileToasts: FileToasts = {
  successTitle: titles.success,
  authentication: failed.authenticationOverview,
  downloadReason: (error) => {
    if (!(error instanceof ApiFault)) return unknownReason;
    return error.status === 0 ? error.message : failed.downloadStatus(error.statusText || error.message);
  },
};
