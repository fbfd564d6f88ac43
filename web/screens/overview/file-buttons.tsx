// View and download of a file that the overview names, with the overview's own texts (docs/behaviour.md, Overview).

import { ApiFault } from '#web/lib/api-fault.ts';
import type { OpenableFile } from '#web/lib/file-access.ts';
import { titles, unknownReason } from '#web/lib/messages.ts';
import { FileIconActions, type FileToasts } from '#web/parts/files/file-actions.tsx';
import { IconRow } from '#web/ui/icon-button.tsx';
import { overviewFailed } from './overview-messages.ts';

/** The reason is the status line, or the network's error. */
const words: FileToasts = {
  successTitle: titles.success,
  authentication: overviewFailed.authenticationOverview,
  downloadReason: (error) => {
    if (!(error instanceof ApiFault)) return unknownReason;
    return error.status === 0 ? error.message : overviewFailed.downloadStatus(error.statusText || error.message);
  },
};

export interface FileButtonsProps {
  /** Without its name: an announcement from the overview names the file by its id (docs/behaviour.md, Overview). */
  file: Omit<OpenableFile, 'originalName'>;
  name: string;
}

export function FileButtons({ file, name }: FileButtonsProps) {
  return (
    <IconRow>
      <FileIconActions file={file} name={name} {...words} />
    </IconRow>
  );
}
