// What is done with mails, and what people hear of by them.
import type { Rights } from './gate.ts';

export const mailRights = {
  'mail.read': { gate: 'whole-log', stepUp: 'never' },
  // A mail says nothing to whoever sends it, and nothing of the firm where anybody may have it sent.
  'mail.manage': { gate: 'whole-log', stepUp: 'never' },
  // Nobody but the person hears less or more.
  'digests.choose': { gate: 'signed-in', stepUp: 'never' },
} as const satisfies Rights<'mail' | 'digests'>;
