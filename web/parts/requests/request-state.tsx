// How a request stands, as a badge.
import { Badge } from '@mantine/core';
import { isClientUser } from '#contract/policy/actor.ts';
import { requestStateNames } from '#contract/request-words.ts';
import type { RequestRow } from '#contract/requests.ts';
import { requestWords } from '#web/lib/request-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';

export function RequestState({ request: { state, owed } }: { request: Pick<RequestRow, 'state' | 'owed'> }) {
  const ofClient = isClientUser(useSessionUser());
  return (
    <Badge miw="max-content">
      {state === 'open' && owed === 0 ? requestWords.toReview(ofClient) : requestStateNames[state]}
    </Badge>
  );
}
