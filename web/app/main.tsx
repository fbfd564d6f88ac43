// The start of the web application: settings, session, router.

import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { resolveSession } from '#web/data/session.ts';
import { followNetwork } from '#web/lib/connection.ts';
import { serverAnswers } from '#web/lib/server-answers.ts';
import { followOtherTabs, getSession, isInside, isLookTab, onSessionChange } from '#web/lib/session.ts';
import { keepPageFromDrops } from '#web/ui/use-dragged-files.ts';
import { ChunkLoadError } from './lazy-screen.tsx';
import { Providers } from './providers.tsx';
import { router } from './router.tsx';

// The page's Content-Security-Policy forbids code made from text, which zod would otherwise try. It reads this when a
// screen first loads it: setting it by its own function would load it here.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** Keeps what is shown in step with who is signed in, in this tab and the others. */
function followSession(root: Root): void {
  let knownUserId = getSession()?.user.id;
  let inside = isInside();
  onSessionChange(() => {
    const userId = getSession()?.user.id;
    if (userId !== undefined && knownUserId !== undefined && userId !== knownUserId) {
      // Somebody else: nothing that the previous person saw or typed may stay, not even an open confirmation.
      root.unmount();
      // The link that they have just signed in by is used up: loaded anew, its page would call it invalid.
      if (window.location.hash === '') window.location.reload();
      else window.location.replace('/');
      return;
    }
    knownUserId = userId ?? knownUserId;
    if (isInside() === inside) return;
    inside = isInside();
    // The guards of the routes redirect: to /login, or from there to where the person wanted to go.
    void router.invalidate();
  });
}

const container = document.getElementById('root');
if (container === null) throw new Error('The page has no place for the application');
const root = createRoot(container, {
  onCaughtError: (error) => {
    // Code removed by an update is reported on the page and is no fault of it.
    if (!(error instanceof ChunkLoadError)) reportError(error);
  },
});
followOtherTabs();
keepPageFromDrops();
followNetwork(serverAnswers);
if (!isLookTab) followSession(root);
void resolveSession();
const show = (content: ReactNode) =>
  root.render(
    <StrictMode>
      <Providers>{content}</Providers>
    </StrictMode>,
  );
if (isLookTab) {
  import('./look-tab.tsx').then(
    ({ LookTab }) => show(<LookTab />),
    () => show(<p role="alert">Please reload the page.</p>),
  );
} else {
  show(<RouterProvider router={router} />);
}
