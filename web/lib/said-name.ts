// The name of a chosen file, as the server takes it where it is said apart from the file.

/** What no name may hold: signs that are not seen, or that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Empty where nothing of it is left. */
export const saidName = (name: string): string => name.replace(UNSEEN, '').trim();
