// All that an upload loads when it is first wanted, as one: imported one by one, each part would be shared, and load with every page.
import { addUploads } from '#web/data/uploads.ts';
import { UploadDialog } from './upload-dialog.tsx';
import { UploadPanel } from './upload-panel.tsx';

export const uploadParts = { UploadDialog, UploadPanel, addUploads };
