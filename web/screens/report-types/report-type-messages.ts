// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const reportTypeDone = {
  reportTypeAdded: 'Report type added successfully',
  reportTypeUpdated: 'Report type updated successfully',
  reportTypeDeleted: 'Report type deleted successfully',
} as const;

export const reportTypeFailed = {
  addReportType: (reason: string) => `Failed to add report type: ${reason}`,
  updateReportType: (reason: string) => `Failed to update report type: ${reason}`,
  deleteReportType: (reason: string) => `Failed to delete report type: ${reason}`,
  reportTypeNameEmpty: 'Report type name cannot be empty',
} as const;

export const reportTypeHints = {
  /** For whoever adds report types and sees by access lists. */
  byList:
    'You file under those in your own access list. One that you add is in nobody’s list yet: ask an administrator to give it to you.',
  rename:
    'Its files, access lists and phrases stay with it. Batches recognize usual names, such as Form 941, by themselves.',
} as const;

export const reportTypeQuestions = {
  deleteReportType: 'Are you sure you want to delete this report type?',
  whatGoes: 'It leaves all access lists, with its phrases and what is expected of it. This cannot be undone.',
} as const;

export const reportTypeEmpty = {
  usualReportTypes: 'Or start with those that payroll firms usually file under, and delete what you do not need.',
  reportTypes: 'No report types found. Add a report type to get started.',
  reportTypesSearched: 'No report types match your search criteria.',
} as const;
