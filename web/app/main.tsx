// The start of the web application: settings, session, router.

import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { refreshSession } from '#web/data/session.ts';
import { followOtherTabs, getSession, onSessionChange } from '#web/lib/session.ts';
import { Providers } from './providers.tsx';
import { router } from './router.tsx';

// The page's Content-Security-Policy forbids code made from text, which zod would otherwise try.
z.config({ jitless: true });

/** Keeps what is shown in step with who is signed in, in this tab and the others. */
function followSession(): void {
  let shownUserId = getSession()?.user.id;
  onSessionChange(() => {
    const userId = getSession()?.user.id;
    if (userId === shownUserId) return;
    if (userId !== undefined && shownUserId !== undefined) {
      // Somebody else signed in from another tab: nothing of the former person may stay on the screen.
      window.location.reload();
      return;
    }
    shownUserId = userId;
    // The guards of the routes send the person on: to /login, or from there to where they wanted to go.
    void router.invalidate();
  });
}

followOtherTabs();
followSession();
void refreshSession();

const container = document.getElementById('root');
if (container === null) throw new Error('The page has no place for the application');
createRoot(container).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
