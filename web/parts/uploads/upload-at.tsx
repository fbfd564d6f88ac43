// An upload dialog that opens from anywhere on a page, with the place of the files chosen.

import type { ComponentType } from 'react';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDraggedFiles } from '#web/ui/use-dragged-files.ts';
import { setUploadPanel } from './background-upload.ts';
import type { UploadStart } from './upload-form.ts';
import type { uploadParts } from './upload-parts.ts';

/** The dialog for reports, from the parts that are loaded for it. */
function uploadAt({ UploadDialog, addUploads }: typeof uploadParts): ComponentType<Dialog<UploadStart>> {
  return function UploadAt({ opened, subject, close }) {
    const dragged = useDraggedFiles({
      onEnter: () => undefined,
      onDropElsewhere: addUploads,
      accepts: () => opened,
    });
    return (
      <UploadDialog
        opened={opened}
        onClose={close}
        title="Add Data"
        fileTypes={['report']}
        start={subject ?? { fileType: 'report', clientId: null }}
        several={false}
        dragged={dragged}
        onDrop={addUploads}
      />
    );
  };
}

let loaded: ComponentType<Dialog<UploadStart>> | undefined;

/** For `useLazyDialog`. */
export async function loadUploadAt(): Promise<ComponentType<Dialog<UploadStart>>> {
  const { uploadParts: parts } = await import('./upload-parts.ts');
  // Ready before anything can be left to it.
  setUploadPanel(parts.UploadPanel);
  loaded ??= uploadAt(parts);
  return loaded;
}
