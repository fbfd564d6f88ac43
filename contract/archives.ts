// Prepared ZIPs: many files as one, made in the background for one person and kept for a day.
import { z } from 'zod';
import { Id, Instant } from './fields.ts';

/** How many ZIPs one person has at a time, with those being prepared. */
export const ARCHIVES_MAX = 3;

const ARCHIVE_STATES = ['preparing', 'ready', 'failed'] as const;
export type ArchiveState = (typeof ARCHIVE_STATES)[number];

export const ArchiveRow = z.object({
  id: Id,
  state: z.enum(ARCHIVE_STATES),
  /** What it is saved as; null until it is ready. */
  name: z.string().nullable(),
  /** How many files it was ordered of. */
  filesAsked: z.int(),
  /** How many it holds: those deleted or taken out of reach before it was made are not in it. Null until it is ready. */
  files: z.int().nullable(),
  sizeBytes: z.int().nullable(),
  /** Per cent, while it is prepared; null where none is known yet. */
  progress: z.int().nullable(),
  /** Why it failed. */
  reason: z.string().nullable(),
  createdAt: Instant,
  readyAt: Instant.nullable(),
  /** It is removed then. */
  expiresAt: Instant,
});
export type ArchiveRow = z.infer<typeof ArchiveRow>;
