// How a request stands, as a badge.
import { Badge } from '@mantine/core';
import { requestStateNames } from '#contract/request-words.ts';
import type { RequestRow } from '#contract/requests.ts';

export function RequestState({ request: { state, owed } }: { request: Pick<RequestRow, 'state' | 'owed'> }) {
  return <Badge miw="max-content">{state === 'open' && owed === 0 ? 'To review' : requestStateNames[state]}</Badge>;
}
