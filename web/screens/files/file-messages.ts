// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const fileEmpty = {
  files: 'No files found. Upload a file to get started.',
  filesOfReaders: 'No files found',
  filesSearched: 'No files match your search and filters.',
} as const;

export const markedEmpty = 'No upload names another company';
