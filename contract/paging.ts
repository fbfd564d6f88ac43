// How far lists are paged, apart from the schemas, so that pages need not load those for it.

/** The farthest row that a page of files or of the log may begin after: nobody reads so far, and an export has them all. */
export const ROWS_PAGED_MAX = 10_000;

/** The most rows one page may ask for, and what files and activity give when no limit is named. */
export const PAGE_LIMIT_MAX = 1_000;
