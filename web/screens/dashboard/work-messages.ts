// The words of the home's cards.

/** What waits for a member of staff: the cards of the home. */
export const work = {
  title: 'Today’s Work',
  none: 'Nothing is waiting for you.',
  failed: 'Could not be loaded',
  batches: { title: 'Batches to Review', subtitle: 'Wait for a decision', none: 'Nothing to review' },
  missing: (period: string) => ({
    title: 'Missing Reports',
    subtitle: `Past due in ${period}`,
    none: 'Nothing missing',
  }),
  late: (period: string) => ({
    title: 'Late Reports',
    subtitle: `Came after their day in ${period}`,
    none: 'Nothing late',
  }),
  asked: (late: string | null) => ({
    title: 'Asked of Clients',
    subtitle: late === null ? 'Open requests, none late' : `Open requests; ${late} late`,
    none: 'Nothing asked',
  }),
  answers: { title: 'Answers to Review', subtitle: 'Requests with something sent', none: 'Nothing to review' },
  marked: { title: 'Marked Uploads', subtitle: 'Name another company', none: 'Nothing to check' },
  documents: (unopened: string | null) => ({
    title: 'New Documents',
    subtitle:
      unopened === null ? 'Sent by clients, not opened by you' : `Sent by clients; ${unopened} opened by nobody`,
    none: 'Nothing new',
  }),
} as const;
