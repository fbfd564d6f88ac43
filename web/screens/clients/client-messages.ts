// What this screen alone says; what several say is in `web/lib/messages.ts`.
import { CLIENT_ON_HOLD } from '#contract/hold-words.ts';

export const clientDone = {
  clientCreated: 'Client created successfully',
  clientUpdated: 'Client updated successfully',
} as const;

export const clientFailed = {
  createClient: (reason: string) => `Failed to create client: ${reason}`,
  updateClient: (reason: string) => `Failed to update client: ${reason}`,
  deleteClient: (reason: string) => `Failed to delete client: ${reason}`,
} as const;

export const clientQuestions = {
  deleteClient: 'Are you sure you want to delete this client? This will also delete all associated files and users.',
} as const;

export const clientNotFound = {
  client: { title: 'Client not found', hint: 'It may have been deleted, or you do not have access to it.' },
} as const;

export const clientEmpty = {
  clients: 'No clients found. Add a client to get started.',
  clientsSearched: 'No clients match your search criteria.',
  importHint: { clients: 'Have them in a spreadsheet? Import adds all of them at once.' },
  reportsOfClient: {
    title: 'No reports yet',
    hint: 'Upload Files sends the first one',
  },
  documentsOfClient: {
    title: 'No company documents yet',
    hint: 'Upload Files sends the first one',
  },
} as const;

/** Why a client is not deleted. */
export const clientHeld = {
  client: `${CLIENT_ON_HOLD}. Lift the hold on its page first.`,
  file: 'A file of this client is on hold, so the client cannot be deleted. Lift the hold on the file first.',
};
