// What this screen alone says; what several say is in `web/lib/messages.ts`.
export const documentFailed = {
  fetchDocuments: 'Failed to fetch documents',
} as const;

export const documentEmpty = {
  documents: { title: 'No documents found', hint: 'Upload documents to get started.' },
  documentsSearched: 'No documents match your filters.',
} as const;
