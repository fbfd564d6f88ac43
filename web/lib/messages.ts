// Sentences that several screens share: toasts, questions, empty and loading states (docs/behaviour.md says when each is shown). What one screen alone says is beside it.
import { counted, endedSentence, inFigures } from '#contract/plain-words.ts';

export const unknownReason = 'Unknown error';
export const unreachable = 'The server cannot be reached. Please check your connection and try again.';

export const savedBefore =
  'Your first try seems to have been saved, although no answer came. Look for it in the list before you save it again.';

/** Of a button, for those who cannot see what it will do. */
export const opensTab = 'Opens in a new tab';

export const titles = { error: 'Error', success: 'Success', loginFailed: 'Login failed' } as const;

/** '2 of 5 files stored'. */
export const storedOf = (stored: number, sent: number) => `${inFigures(stored)} of ${counted(sent, 'file')} stored`;

const isOrAre = (count: number) => `${inFigures(count)} ${count === 1 ? 'is' : 'are'}`;

/** What failed of several: with how many are done and how many are not, once some are. */
export const notAllDone = (words: string, done: number, left: number) =>
  // A reason in brackets ends with its own full stop.
  done === 0
    ? words
    : `${words.endsWith('.)') ? words : endedSentence(words)} ${isOrAre(done)} done, ${isOrAre(left)} not.`;

/** Success toasts. */
export const done = {
  fileDownloaded: 'File downloaded successfully',
  fileDeleted: 'File deleted successfully',
  fileTakenBack: 'File taken back',
  fileRefiled: 'File re-filed successfully',
  filesRefiled: (count: number) => `${counted(count, 'file')} re-filed successfully`,
  periodSet: (files: string) => `Period of ${files} set successfully`,
  fileUploaded: 'File uploaded successfully',
  /** Where others were skipped, because they are there already. */
  fileUploadedBut: (skipped: number) => `File uploaded successfully (${inFigures(skipped)} skipped)`,
  uploadStopped: (stored: number, sent: number) => `Upload stopped (${storedOf(stored, sent)})`,
  filesDownloaded: (count: number) => `${counted(count, 'file')} downloaded successfully`,
  fileRestored: 'File restored successfully',
  filesRestored: (count: number) => `${counted(count, 'file')} restored successfully`,
  clientRestored: 'Client restored successfully',
  filesDeleted: (count: number) => `${counted(count, 'file')} deleted successfully`,
  clientDeleted: 'Client deleted successfully',
  usualReportTypesThere: 'All the usual report types are there',
  usualReportTypesAdded: (types: string) => `${types} added successfully`,
  imported: (rows: string) => `${rows} imported successfully`,
  codesCopied: 'Recovery codes copied',
  keyCopied: 'Key copied',
  jobRetried: 'The job will run again',
} as const;

/** Failure toasts; those that name a reason take it from `reasonOf`. */
export const failed = {
  downloadFile: (reason: string) => `Failed to download file: ${reason}`,
  refileFile: (reason: string) => `Failed to re-file file: ${reason}`,
  refileFiles: (reason: string) => `Failed to re-file files: ${reason}`,
  setPeriods: (reason: string) => `Failed to set the period: ${reason}`,
  changedMeanwhile: (names: string) => `Somebody else has changed or deleted ${names} meanwhile.`,
  deleteFile: (reason: string) => `Failed to delete file: ${reason}`,
  deleteFiles: (reason: string) => `Failed to delete files: ${reason}`,
  takeBackFile: (reason: string) => `Failed to take the file back: ${reason}`,
  restoreFile: (reason: string) => `Failed to restore file: ${reason}`,
  restoreFiles: (reason: string) => `Failed to restore files: ${reason}`,
  restoreClient: (reason: string) => `Failed to restore client: ${reason}`,
  downloadFiles: (reason: string) => `Failed to download files: ${reason}`,
  exportFiles: (reason: string) => `Failed to export files: ${reason}`,
  uploadFile: (reason: string) => `Failed to upload file: ${reason}`,
  /** Of several files sent at once, where some were stored. */
  uploadSome: (reason: string, stored: number, sent: number) =>
    `Failed to upload file: ${reason} (${storedOf(stored, sent)})`,
  uploadReason: 'Failed to upload file',
  retryJob: (reason: string) => `Failed to run the job again: ${reason}`,
  /** What somebody else has saved meanwhile. */
  reload: (reason: string) => `Failed to reload: ${reason}`,
  keepPreferences: (reason: string) => `Failed to keep your choice: ${reason}`,
  openFile: 'Failed to open file',
  printFile: 'Failed to print file',
  printTooLong: (pages: string) => `This file has ${pages} pages. Download it and print it from there.`,
  popUpBlocked: 'Pop-up blocked. Please allow pop-ups for this site.',
  authentication: 'Authentication required',
  addUsualReportTypes: (reason: string) => `Failed to add report types: ${reason}`,
  import: (reason: string) => `Failed to import: ${reason}`,
  addAuthenticator: (reason: string) => `Failed to set up authenticator app: ${reason}`,
  copyCodes: 'The browser did not allow copying. Please select the codes and copy them yourself.',
  copyKey: 'The browser did not allow copying. Please select the key and copy it yourself.',
  passkeyUnsupported: 'This browser cannot use passkeys here.',
  passkeyDismissed: 'No passkey was used. Try again, or choose another way.',
  uploadedBefore:
    'An earlier attempt was stored, with other choices than these. Remove the file here and look for it in the list.',
  loadPart: 'This part of the page could not be loaded. Please reload the page and try again.',
  fetchFiles: 'Failed to fetch files',
} as const;

/** Faults of fields that are checked before the contract's own schemas are loaded. */
export const required = {
  code: 'Enter the six digits that the app shows',
  passkeyName: 'Please name the passkey',
} as const;

/** Beside the fault of a code that was wrong: what an honest person cannot know. */
export const codeHint =
  'Each code works once and changes every 30 seconds. If none is accepted, have your phone set its clock by itself.';

/** Questions before something is deleted or taken away. */
export const confirmations = {
  deleteFile: 'Are you sure you want to delete this file?',
  takeBackFile: 'Nobody else has opened it yet. Nobody will see it any more.',
  deleteFiles: (count: number) => `Are you sure you want to delete these ${inFigures(count)} files?`,
  deleteDocuments: (count: number) => `Are you sure you want to delete these ${inFigures(count)} documents?`,
  deleteDocument: 'Are you sure you want to delete this document?',
} as const;

export const loading = {
  page: 'Loading...',
  details: 'Loading company details...',
  documents: 'Loading documents...',
} as const;

/** What a search in a list to choose from says when it found nothing. */
export const noMatch = { clients: 'No clients match your search', files: 'No files match your search' } as const;

export const empty = {
  dashboardClients: 'No clients available.',
  roles: 'No roles found',
  nothingMatches: 'Nothing matches your search.',
  activities: 'No activities found',
  clientReports: {
    title: 'No reports available',
    hint: 'Reports will appear here when they are uploaded by your CPA',
  },
  noClientAccess: "You don't have access to any client details. Please contact your administrator.",
  noReportTypeAccess: "You don't have access to any report types. Please contact your administrator.",
  noFilesSelected: 'No files selected',
  checklistClients: 'No clients available',
  checklistReportTypes: 'No report types available',
} as const;

/** Of a folder with nothing in it but what systems put there. */
export const nothingToUpload = 'There is nothing in this folder that can be uploaded.';

/** Of a chosen file without bytes, which the server refuses. */
export const emptyFile = 'This file is empty and cannot be stored. Please remove it.';
