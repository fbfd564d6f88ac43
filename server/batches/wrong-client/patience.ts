/** Somebody waits for the guard's answer: so long for the turn, and so long until the document is read. Tests on a busy machine wait longer. */
export const patience = { turnMs: 3_000, readMs: 3_000 };
