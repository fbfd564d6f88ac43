// What is said of a disposal that goes on no more.
import { counted } from '#contract/plain-words.ts';
import type { DisposalStop } from '#contract/retention-words.ts';

export const stopNames: Readonly<Record<DisposalStop, string>> = {
  cancelled: 'Canceled',
  failed: 'Failed',
  lost: 'Stopped',
};

/** What is said of a disposal that goes on no more though files wait. */
export const stopWords = {
  /** 'The disposal ordered 11/28/2026 2:15 AM was canceled on Background Jobs. 31 files of it are still there.' */
  told: (when: string, stopped: DisposalStop, waiting: number, fault: string | null) => {
    const failed = fault === null ? 'failed.' : `failed: ${fault}`;
    const became = { cancelled: 'was canceled on Background Jobs.', failed, lost: 'has stopped.' }[stopped];
    const still = `${counted(waiting, 'file')} of it ${waiting === 1 ? 'is' : 'are'} still there.`;
    return `The disposal ordered ${when} ${became} ${still}`;
  },
  goOn: 'Each is judged again when its turn comes. What goes is gone for good, with any earlier versions.',
  leave: (waiting: number) =>
    waiting === 1
      ? 'The disposal ends here, and its certificate says that it was left. It stays on the list of what is due.'
      : 'The disposal ends here, and its certificate says that they were left. They stay on the list of what is due.',
} as const;
