// Where to go after signing in: a path of this portal and nothing else.

/** `next` if it is a path here, otherwise '/'. */
export function safeNext(next: string | undefined): string {
  if (!next?.startsWith('/') || next.length > 2000) return '/';
  try {
    // The browser's own reading decides: `//host`, `/\host` and similar lead elsewhere.
    const address = new URL(next, window.location.origin);
    const path = address.pathname + address.search + address.hash;
    // `/.//host` is a path of ours until it is read a second time.
    const staysHere = address.origin === window.location.origin && !path.startsWith('//');
    return staysHere && address.pathname !== '/login' ? path : '/';
  } catch {
    return '/';
  }
}
