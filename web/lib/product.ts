// What the server writes into the page about the firm and its settings: known before anyone has signed in.
import type { PasswordProfile } from '#contract/passwords.ts';

const element = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
const meta = (name: string) => element(name)?.content ?? '';

export const productName = meta('product-name') || 'Coffer';

/** Where people write to where nobody names an address: guessed from the host, and perhaps read by nobody. */
export const guessedSupportEmail = `support@${window.location.hostname}`;

/** Where people who need help write to. */
export const supportEmail = () => meta('support-email') || guessedSupportEmail;

/** What the server would write into the page from now on: the page itself stays. Empty where nobody names an address. */
export function rememberSupportEmail(address: string): void {
  element('support-email')?.setAttribute('content', address);
}

/** Whether the Safeguards profile is on: a second factor for everyone, shorter sessions, stricter passwords. */
export const safeguards = meta('safeguards') === 'on';

/** For how many days what is deleted can be restored. */
export const trashDays = Number(meta('trash-days')) || 30;

/** Whether the portal sends mail. */
export const mailIsOn = meta('mail') === 'on';

export const passwordProfile: PasswordProfile = safeguards ? 'safeguards' : 'standard';
