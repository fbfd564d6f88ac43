// Notices Back and Forward, which take the address at its word, and on a phone are meant for what is open over the page.
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `act` after Back, Forward, and several of either at once, with where one is by then: where one was, if a question has kept one
 * there. The address of the browser is still that of the step then.
 */
export function useHistoryStep(act: (here: { readonly pathname: string; readonly search: string }) => void): void {
  const { history } = useRouter();
  const acted = useEffectEvent(act);
  useEffect(
    () =>
      history.subscribe(({ location, action: { type } }) => {
        if (type !== 'PUSH' && type !== 'REPLACE') acted(location);
      }),
    [history],
  );
}
