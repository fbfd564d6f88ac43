// The page at the root: the dashboard or the overview, by who is signed in, and what it is not drawn without.

import { useSessionUser } from '#web/lib/session.ts';
import { lazyScreen } from './lazy-screen.tsx';

const dashboard = lazyScreen(async () => (await import('#web/screens/dashboard/dashboard.tsx')).DashboardScreen);

const overview = lazyScreen(async () => (await import('#web/screens/overview/overview.tsx')).OverviewScreen);

export const homeOf = (commonRouting: boolean | undefined) => (commonRouting ? dashboard : overview);

export function Home() {
  const { Screen } = homeOf(useSessionUser().commonRouting);
  return <Screen />;
}

/** What the home is not drawn without. Loaded with the code of the home, whose own loading says what failed. */
export async function awaitHome(commonRouting: boolean | undefined): Promise<void> {
  if (commonRouting) {
    await Promise.allSettled([
      import('#web/data/home-reports.ts').then(({ awaitHomeReports }) => awaitHomeReports()),
      import('#web/data/requests.ts').then(({ awaitAsked }) => awaitAsked()),
    ]);
  } else {
    await Promise.allSettled([
      import('#web/data/marked.ts').then(({ awaitMarkedCount }) => awaitMarkedCount()),
      import('#web/data/mail.ts').then(({ awaitMailFacts }) => awaitMailFacts()),
      import('#web/data/suggestions.ts').then(({ awaitSuggestions }) => awaitSuggestions()),
      import('#web/data/first-steps.ts').then(({ awaitFirstSteps }) => awaitFirstSteps()),
    ]);
  }
}
