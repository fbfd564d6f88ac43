// The sentences of the completeness board and of what is expected, apart from `messages.ts`: a first page needs none of them.

export const completenessWords = {
  states: {
    expected: 'Not there yet, and not due yet',
    delivered: 'There in time',
    opened: 'There in time, and the client has viewed or downloaded it',
    late: 'There, after it was due',
    missing: 'Not there, and past due',
  },
  noneExpected: 'Not expected',
  howOften: 'Weeks are counted from the first day; without one they run from Monday to Sunday.',
  proposed: (clients: string) =>
    `From the reports of ${clients} in the last two years. Nothing is saved before you press Save.`,
  moreProposals: 'More clients come after these.',
  skipsChanges: 'Discard unsaved changes?',
  saved: 'Expectations saved successfully',
  leftAsSaved: (reports: string) => `Left as somebody else has saved it meanwhile: ${reports}`,
  notExported: (reason: string) => `Failed to export the board: ${reason}`,
  notSaved: (reason: string) => `Failed to save expectations: ${reason}`,
  notProposed: (reason: string) => `Failed to look at the history: ${reason}`,
  empty: {
    title: 'No expectations yet',
    hint: 'Say which reports each client gets and how often, and this page shows what is missing. The history of your files proposes most of it.',
    hintOfReaders: 'Here you will see what is missing once somebody has said which reports each client gets.',
  },
  emptyPeriod: 'Nothing is expected in this period.',
  noneMatch: 'No clients match your filters.',
  noProposals: {
    title: 'Nothing to propose',
    hint: 'No client without expectations has reports with periods that come again and again. Say what is expected on the page of a client.',
  },
  noMoreProposals: { title: 'Nothing more to propose', hint: 'What you left out is proposed again the next time.' },
} as const;
