// Every sentence the screens share: toasts, confirmations, empty and loading states, in one place (docs/behaviour.md says when each is shown).

export const unknownReason = 'Unknown error';
export const unreachable = 'The server cannot be reached. Please check your connection and try again.';

/** Of a button, for those who cannot see what it will do. */
export const opensTab = 'Opens in a new tab';

export const titles = { error: 'Error', success: 'Success', loginFailed: 'Login failed' } as const;

/** Success toasts. */
export const done = {
  fileDownloaded: 'File downloaded successfully',
  fileDeleted: 'File deleted successfully',
  fileTakenBack: 'File taken back',
  fileRefiled: 'File re-filed successfully',
  filesRefiled: (count: number) => `${count} files re-filed successfully`,
  periodSet: (files: string) => `Period of ${files} set successfully`,
  fileUploaded: 'File uploaded successfully',
  /** Where others were skipped, because they are there already. */
  fileUploadedBut: (skipped: number) => `File uploaded successfully (${skipped} skipped)`,
  uploadStopped: (stored: number, sent: number) => `Upload stopped (${stored} of ${sent} files stored)`,
  filesDownloaded: (count: number) => `${count} files downloaded successfully`,
  fileRestored: 'File restored successfully',
  filesRestored: (count: number) => `${count} files restored successfully`,
  clientRestored: 'Client restored successfully',
  allRestored: (count: number) => `${count} restored successfully`,
  deletedForEver: (count: number) => (count === 1 ? 'Deleted for ever' : `${count} deleted for ever`),
  filesDeleted: (count: number) => `${count} files deleted successfully`,
  clientCreated: 'Client created successfully',
  clientUpdated: 'Client updated successfully',
  clientDeleted: 'Client deleted successfully',
  userCreated: 'User created successfully',
  userUpdated: 'User updated successfully',
  userDeleted: 'User deleted successfully.',
  invitationWithdrawn: (name: string) =>
    `Invitation withdrawn. ${name} stays in the list and cannot sign in until you invite them anew or set a password.`,
  roleCreated: 'Role created successfully',
  roleUpdated: 'Role updated successfully',
  roleDeleted: 'Role deleted successfully',
  usualReportTypesAdded: (types: string) => `${types} added successfully`,
  reportTypeAdded: 'Report type added successfully',
  reportTypeDeleted: 'Report type deleted successfully',
  imported: (rows: string) => `${rows} imported successfully`,
  permissionsUpdated: 'Permissions updated successfully',
  passwordChanged: 'Password changed successfully',
  deviceSignedOut: 'Device signed out successfully',
  otherDevicesSignedOut: 'All other devices signed out successfully',
  authenticatorAdded: 'Authenticator app set up successfully',
  authenticatorRemoved: 'Authenticator app removed successfully',
  passkeyAdded: 'Passkey added successfully',
  passkeyRemoved: 'Passkey removed successfully',
  recoveryCodesMade: 'New recovery codes made successfully',
  codesCopied: 'Recovery codes copied',
  secondFactorReset: 'Second factor reset successfully',
  jobRetried: 'The job will run again',
  jobCancelled: 'Job cancelled',
  jobStopping: 'The job was asked to stop',
  mailRetried: 'The mail will be tried again',
  digestChosen: 'Your choice is kept',
  usualDigestsSet: 'What is usual is kept',
  testMailOrdered: 'The test mail is on its way: the list below says when it is sent',
} as const;

/** Failure toasts; those that name a reason take it from `reasonOf`. */
export const failed = {
  login: 'Login failed',
  loginUnknown: 'Unknown error occurred',
  /** A reason for `downloadFile`, as the overview words it. */
  downloadStatus: (statusText: string) => `Download failed: ${statusText}`,
  downloadFile: (reason: string) => `Failed to download file: ${reason}`,
  refileFile: (reason: string) => `Failed to re-file file: ${reason}`,
  setPeriods: (reason: string, set: number, all: number) =>
    `Failed to set the period: ${reason}${set > 0 ? ` (${set} of ${all} files are set)` : ''}`,
  deleteFile: (reason: string) => `Failed to delete file: ${reason}`,
  takeBackFile: (reason: string) => `Failed to take the file back: ${reason}`,
  restoreFile: (reason: string) => `Failed to restore file: ${reason}`,
  restoreFiles: (reason: string) => `Failed to restore files: ${reason}`,
  restoreClient: (reason: string) => `Failed to restore client: ${reason}`,
  restoreSome: (reason: string) => `Failed to restore: ${reason}`,
  deleteForEver: (reason: string) => `Failed to delete for ever: ${reason}`,
  downloadFiles: (reason: string) => `Failed to download files: ${reason}`,
  exportFiles: (reason: string) => `Failed to export files: ${reason}`,
  exportActivity: (reason: string) => `Failed to export activity: ${reason}`,
  uploadFile: (reason: string) => `Failed to upload file: ${reason}`,
  /** Of several files sent at once, where some were stored. */
  uploadSome: (reason: string, stored: number, sent: number) =>
    `Failed to upload file: ${reason} (${stored} of ${sent} files stored)`,
  uploadReason: 'Failed to upload file',
  retryJob: (reason: string) => `Failed to run the job again: ${reason}`,
  cancelJob: (reason: string) => `Failed to cancel the job: ${reason}`,
  retryMail: (reason: string) => `Failed to have the mail tried again: ${reason}`,
  testMail: (reason: string) => `Failed to send a test mail: ${reason}`,
  chooseDigest: (reason: string) => `Failed to keep your choice: ${reason}`,
  remind: (reason: string) => `Failed to remind: ${reason}`,
  setUsualDigests: (reason: string) => `Failed to keep what is usual: ${reason}`,
  keepPreferences: (reason: string) => `Failed to keep your choice: ${reason}`,
  openFile: 'Failed to open file',
  printFile: 'Failed to print file',
  printTooLong: (pages: string) => `This file has ${pages} pages. Download it and print it from there.`,
  popUpBlocked: 'Pop-up blocked. Please allow pop-ups for this site.',
  authentication: 'Authentication required',
  authenticationOverview: 'Authentication required. Please log in again.',
  createClient: (reason: string) => `Failed to create client: ${reason}`,
  updateClient: (reason: string) => `Failed to update client: ${reason}`,
  deleteClient: (reason: string) => `Failed to delete client: ${reason}`,
  createUser: 'Failed to create user',
  updateUser: 'Failed to update user',
  takeOverAccess: (reason: string) => `Failed to take over this access: ${reason}`,
  withdrawInvitation: (reason: string) => `Failed to withdraw the invitation: ${reason}`,
  deleteUser: (reason: string) => `Failed to delete user: ${reason}`,
  createRole: (reason: string) => `Failed to create role: ${reason}`,
  updateRole: (reason: string) => `Failed to update role: ${reason}`,
  deleteRole: (reason: string) => `Failed to delete role: ${reason}`,
  addUsualReportTypes: (reason: string) => `Failed to add report types: ${reason}`,
  addReportType: (reason: string) => `Failed to add report type: ${reason}`,
  deleteReportType: (reason: string) => `Failed to delete report type: ${reason}`,
  reportTypeNameEmpty: 'Report type name cannot be empty',
  import: (reason: string) => `Failed to import: ${reason}`,
  updatePermissions: (reason: string) => `Failed to update permissions: ${reason}`,
  changePassword: (reason: string) => `Failed to change password: ${reason}`,
  signOutDevice: (reason: string) => `Failed to sign out device: ${reason}`,
  addAuthenticator: (reason: string) => `Failed to set up authenticator app: ${reason}`,
  removeAuthenticator: (reason: string) => `Failed to remove authenticator app: ${reason}`,
  addPasskey: (reason: string) => `Failed to add passkey: ${reason}`,
  removePasskey: (reason: string) => `Failed to remove passkey: ${reason}`,
  makeRecoveryCodes: (reason: string) => `Failed to make recovery codes: ${reason}`,
  copyCodes: 'The browser did not allow copying. Please select the codes and copy them yourself.',
  resetSecondFactor: (reason: string) => `Failed to reset second factor: ${reason}`,
  passkeyUnsupported: 'This browser cannot use passkeys here.',
  passkeyDismissed: 'No passkey was used. Try again, or choose another way.',
  passkeyKnown: 'This device or key is already among your passkeys.',
  uploadedBefore:
    'An earlier attempt was stored, with other choices than these. Remove the file here and look for it in the list.',
  loadPart: 'This part of the page could not be loaded. Please reload the page and try again.',
  fetchReports: (status: number) => `HTTP error! status: ${status}`,
  fetchFiles: 'Failed to fetch files',
  fetchDocuments: 'Failed to fetch documents',
} as const;

/** Faults of fields that are checked before the contract's own schemas are loaded. */
export const required = {
  username: 'Username is required',
  password: 'Password is required',
  code: 'Enter the six digits that the app shows',
  recoveryCode: 'Recovery code is required',
  passkeyName: 'Please name the passkey',
} as const;

/** Questions before something is deleted or taken away. */
export const confirmations = {
  deleteFile: 'Are you sure you want to delete this file?',
  takeBackFile: 'Nobody else has opened it yet. Nobody will see it any more.',
  deleteFiles: (count: number) => `Are you sure you want to delete these ${count} files?`,
  deleteDocuments: (count: number) => `Are you sure you want to delete these ${count} documents?`,
  deleteClient: 'Are you sure you want to delete this client? This will also delete all associated files and users.',
  deleteForEver: 'Nobody can restore it after this. Its bytes are removed within the hour.',
  deleteAllForEver: 'Nobody can restore them after this. Their bytes are removed within the hour.',
  deleteUser: 'Are you sure you want to delete this user?',
  resetSecondFactor:
    'Their app, passkeys and recovery codes are removed and they are signed out everywhere. At the next sign-in they set up a new one.',
  deleteReportType: 'Are you sure you want to delete this report type?',
  deleteDocument: 'Are you sure you want to delete this document?',
  deleteRole: 'Are you sure you want to delete this role? This action cannot be undone.',
} as const;

export const loading = {
  page: 'Loading...',
  clients: 'Loading clients...',
  reports: 'Loading reports...',
  details: 'Loading company details...',
  documents: 'Loading documents...',
} as const;

/** What a search in a list to choose from says when it found nothing. */
export const noMatch = { clients: 'No clients match your search', files: 'No files match your search' } as const;

/** Who opened a file that is corrected by now; `isAll` where nobody else can have. */
export const correctionFacts = {
  opened: (names: readonly string[], isAll: boolean) => {
    if (names.length === 0) return 'Nobody has opened the earlier file.';
    const people = names.length === 1 ? '1 person' : `${names.length} people`;
    return `${isAll ? people : `At least ${people}`} opened the earlier file: ${names.join(', ')}`;
  },
  unread: (reason: string) => `Who opened the earlier file is not known: ${reason}`,
} as const;

/** In the place of what is missing, or out of reach: nothing tells the two apart. */
export const notFound = {
  client: { title: 'Client not found', hint: 'It may have been deleted, or you do not have access to it.' },
} as const;

export const empty = {
  dashboardClients: 'No clients available.',
  clients: 'No clients found. Add a client to get started.',
  clientsSearched: 'No clients match your search criteria.',
  users: 'No users found',
  usersHint: 'Add User is for colleagues and for the people of your clients.',
  roles: 'No roles found',
  rolesHint: 'Add Role is for colleagues who may do other things than an Admin or a CPA.',
  nothingMatches: 'Nothing matches your search.',
  importHint: { clients: 'Have them in a spreadsheet? Import adds all of them at once.' },
  usualReportTypes: 'Or start with those that payroll firms usually file under, and delete what you do not need.',
  reportTypes: 'No report types found. Add a report type to get started.',
  reportTypesSearched: 'No report types match your search criteria.',
  files: 'No files found. Upload a file to get started.',
  filesSearched: 'No files match your search and filters.',
  filesOfType: 'No files found for this report type.',
  filesOfTypeHint: 'Upload Files sends the first one.',
  filesOfTypeSearched: 'Nothing matches the client and the dates that are set.',
  activities: 'No activities found',
  activitiesHint: 'What people upload, open, change and delete is listed here.',
  activitiesSearched: 'No activities match your search and filters.',
  trashSearched: 'Nothing in the trash matches your search and filters.',
  trash: { title: 'The trash is empty', hint: (days: string) => `Deleted files and clients are here for ${days}` },
  jobs: 'No background jobs found',
  jobsSearched: 'No background jobs are in this state.',
  mails: 'No mails found',
  mailsSearched: 'No mails are in this state.',
  overviewActivities: 'No activities found.',
  recentUploads: { title: 'No recent uploads', hint: 'Files uploaded will appear here' },
  documents: { title: 'No documents found', hint: 'Upload documents to get started' },
  documentsSearched: 'No documents match your filters.',
  clientReportsSearched: 'No reports match your filters.',
  clientReports: {
    title: 'No reports available',
    hint: 'Reports will appear here when they are uploaded by your CPA',
  },
  reportsOfClient: {
    title: 'No reports yet',
    hint: 'Upload Files sends the first one',
    hintOfReaders: 'Reports appear here when they are uploaded',
  },
  documentsOfClient: {
    title: 'No company documents yet',
    hint: 'Upload Files sends the first one',
    hintOfReaders: 'Company documents appear here when they are uploaded',
  },
  noClientAccess: "You don't have access to any client details. Please contact your administrator.",
  noReportTypeAccess: "You don't have access to any report types. Please contact your administrator.",
  noFilesSelected: 'No files selected',
  checklistClients: 'No clients available',
  checklistReportTypes: 'No report types available',
} as const;

/** Of a chosen file without bytes, which the server refuses. */
export const emptyFile = 'This file is empty and cannot be stored. Please remove it.';
