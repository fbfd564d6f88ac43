// What the server writes into the page about the firm and its settings: known before anyone has signed in.
import type { PasswordProfile } from '#contract/passwords.ts';

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

export const productName = meta('product-name') || 'Coffer';

/** Where people who need help write to. */
export const supportEmail = meta('support-email') || `support@${window.location.hostname}`;
/** Whether the server names that address: else it is guessed from the host, and perhaps read by nobody. */
export const isSupportNamed = meta('support-email') !== '';

/** Whether the Safeguards profile is on: a second factor for everyone, shorter sessions, stricter passwords. */
export const safeguards = meta('safeguards') === 'on';

/** For how many days what is deleted can be restored. */
export const trashDays = Number(meta('trash-days')) || 30;

export const passwordProfile: PasswordProfile = safeguards ? 'safeguards' : 'standard';
