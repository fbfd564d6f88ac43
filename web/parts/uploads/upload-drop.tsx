// The whole window as a drop zone, while files are dragged over it.

import { getDefaultZIndex, Portal, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconUpload } from '@tabler/icons-react';
import classes from './upload-drop.module.css';

export interface UploadDropProps {
  shown: boolean;
  onDrop: (files: File[]) => void;
}

/** Stays mounted, so that it still receives a folder's files, which are read after the drop. */
export function UploadDrop({ shown, onDrop }: UploadDropProps) {
  return (
    <Portal>
      <Dropzone
        className={classes.window ?? ''}
        style={{ zIndex: getDefaultZIndex('max') }}
        unstyled
        mod={{ shown }}
        onDrop={onDrop}
        activateOnClick={false}
        activateOnKeyboard={false}
        // Hidden from people who do not drag; Add File does the same.
        aria-hidden
        inputProps={{ 'aria-hidden': true }}
      >
        <div className={classes.words}>
          <IconUpload size={32} stroke={1.5} aria-hidden />
          <Text size="lg" fw={600}>
            Drop files to upload
          </Text>
        </div>
      </Dropzone>
    </Portal>
  );
}
