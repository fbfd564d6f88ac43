// What staff read about uploads that name another company than the one they were sent for.

export const NAMES_ANOTHER = 'Names another company';

/** '2 uploads name another company' */
export const uploadsNaming = (count: string, isOne: boolean) =>
  isOne ? `${count} upload names another company` : `${count} uploads name another company`;
