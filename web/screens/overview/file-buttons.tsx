// View and download of a file that the overview names, with the overview's own texts (docs/behaviour.md, Overview).

import { IconDownload, IconEye } from '@tabler/icons-react';
import { ApiFault } from '#web/lib/api.ts';
import { type OpenableFile, viewHint } from '#web/lib/file-access.ts';
import { titles, unknownReason } from '#web/lib/messages.ts';
import { type FileToasts, useFileOpening } from '#web/parts/files/file-actions.tsx';
import { IconButton, IconRow } from '#web/ui/icon-button.tsx';
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
  const { view, download, isOpening, isDownloading } = useFileOpening(file, words);
  return (
    <IconRow>
      <IconButton
        label={`View ${name}`}
        tip="View"
        description={viewHint(file)}
        icon={<IconEye size={17} aria-hidden />}
        onClick={view}
        busy={isOpening}
      />
      <IconButton
        label={`Download ${name}`}
        tip="Download"
        icon={<IconDownload size={17} aria-hidden />}
        onClick={download}
        busy={isDownloading}
      />
    </IconRow>
  );
}
