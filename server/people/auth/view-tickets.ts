// View tickets: keys that open one file once, for a minute.

import type { Proof } from '#contract/policy.ts';
import { TICKET_FIRST_USE_MS } from '../../platform/secrets.ts';
import { sessionOf } from '../access/credential.ts';
import type { WriteScope } from '../access/scope.ts';

/** Creates a view ticket for a file the viewer reaches; only its fingerprint is stored. */
export async function insertViewTicket(
  scope: WriteScope,
  proof: Proof<'files.read'>,
  ticket: { ticketHash: string; fileId: number; versionId: number | null; at: number },
): Promise<void> {
  const tx = scope.unscoped(proof);
  // Over or used up: repeated requests of one session do not fill the table.
  await tx
    .deleteFrom('view_tickets')
    .where('session_id', '=', sessionOf(scope.viewer).sessionId)
    .where('created_at', '<=', ticket.at - TICKET_FIRST_USE_MS)
    .execute();
  await tx
    .insertInto('view_tickets')
    .values({
      ticket_hash: ticket.ticketHash,
      session_id: sessionOf(scope.viewer).sessionId,
      file_id: ticket.fileId,
      version_id: ticket.versionId,
      created_at: ticket.at,
      opened_at: null,
    })
    .execute();
}
