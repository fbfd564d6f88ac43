// What a link asks of the page it leads to, as its address carries it: `?do=add` opens the dialog that adds one.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Address } from './page-link.ts';

/** Calls `act` once where the address asks for `request`, and takes the request out of the address. */
export function useAddressRequest(request: string, act: () => void): void {
  const asked = useSearch({ strict: false }).do === request;
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
      search: ({ do: _asked, ...others }: Address) => others,
      replace: true,
      resetScroll: false,
    });
  }, [asked, navigate]);
}
