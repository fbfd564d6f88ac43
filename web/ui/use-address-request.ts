// What a link asks of the page it leads to, as its address carries it: `?do=add` opens the dialog that adds one.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Calls `act` once where the address asks for `request`, and takes the request out of the address. */
export function useAddressRequest(request: string, act: () => void): void {
  const asked = (useSearch({ strict: false }) as Record<string, string | undefined>).do === request;
  const navigate = useNavigate();
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!asked) return;
    latest.current();
    void navigate({
      to: '.',
      search: (({ do: _asked, ...others }: Record<string, string>) => others) as never,
      replace: true,
      resetScroll: false,
    });
  }, [asked, navigate]);
}
