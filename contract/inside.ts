// Searching what stands on the pages of files.
import { z } from 'zod';
import { Id, Instant, wholeNumberText } from './fields.ts';
import { FileNeighbourQuery } from './files.ts';

const INSIDE_LIMIT_MAX = 50;

/** The filters of the list of files, with words of the pages in `q`: without it nothing is found. */
export const InsideQuery = FileNeighbourQuery.extend({
  /** 20 unless given. */
  limit: wholeNumberText(1, INSIDE_LIMIT_MAX).optional(),
});
export type InsideQuery = z.infer<typeof InsideQuery>;

/** A file in reach, and its first page found that holds all the words. */
export const InsideHit = z.object({
  fileId: Id,
  originalName: z.string(),
  clientId: Id,
  clientName: z.string(),
  reportTypeName: z.string().nullable(),
  uploadedAt: Instant,
  page: z.int(),
  /** The text around the words. */
  snippet: z.string(),
  /** Where they stand in it: from, and to, which is not included. */
  marks: z.array(z.object({ from: z.int(), to: z.int() })),
});
export type InsideHit = z.infer<typeof InsideHit>;

export const InsideFound = z.object({
  rows: z.array(InsideHit),
  /** There may be others: more words find them. */
  more: z.boolean(),
  /** False where the server is set up to read no document. */
  searched: z.boolean(),
});
export type InsideFound = z.infer<typeof InsideFound>;
