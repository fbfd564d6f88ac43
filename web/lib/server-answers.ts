// Whether the server answers, and why it does not give code of this page.

const PROBE_TIMEOUT_MS = 10_000;

/** Whether the server answers at all. */
export async function serverAnswers(): Promise<boolean> {
  try {
    await fetch('/healthz', { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  }
}

/** Why code of this page could not be had: the portal was updated, does not serve it just now, or gives no answer at all. */
export type MissingCode = 'updated' | 'unserved' | 'unreachable';

/** Only where the portal's page names another start than this one has is there a new version: every change of code changes that name. */
export async function whyCodeIsMissing(): Promise<MissingCode> {
  const start = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  try {
    const answer = await fetch('/', { cache: 'no-store', credentials: 'omit', signal });
    const page = await answer.text();
    return answer.ok && !page.includes(start) ? 'updated' : 'unserved';
  } catch {
    return 'unreachable';
  }
}
