// What is done with what clients are asked for.
import type { Rights } from './gate.ts';

export const requestRights = {
  // As any upload: it shows nothing to anybody who does not see the client's documents.
  'requests.read': { gate: 'sees-requests', stepUp: 'never' },
  'requests.manage': { gate: ['requests.manage'], stepUp: 'never' },
  'requests.answer': { gate: 'answers-requests', stepUp: 'never' },
  'requests.keep-templates': { gate: 'whole-firm', stepUp: 'never' },
} as const satisfies Rights<'requests'>;
