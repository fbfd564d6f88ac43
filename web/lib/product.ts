// What the server writes into the page about the firm and its settings: known before anyone has signed in.
import { useSyncExternalStore } from 'react';
import type { PasswordProfile } from '#contract/passwords.ts';
import type { Shades } from '#contract/shades.ts';
import { newListeners } from './listeners.ts';

const element = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
/** What the server wrote into the page; empty where it wrote nothing. */
export const meta = (name: string) => element(name)?.content ?? '';

export interface ShownLogo {
  readonly src: string;
  /** In pixels of the picture. */
  readonly width: number;
  readonly height: number;
}

/** What the firm shows of itself; each empty where it has said nothing, but for the name. */
export interface FirmFace {
  readonly name: string;
  /** Of the firm's colour; null for the product's own. */
  readonly shades: Shades | null;
  readonly address: string;
  readonly phone: string;
  readonly welcome: string;
  readonly logo: ShownLogo | null;
}

export const logoAddress = (id: string) => `/firm-logo.png?v=${id}`;

function faceOfPage(): FirmFace {
  const [id = '', width, height] = meta('logo').split(' ');
  const shades = meta('shades');
  return {
    name: meta('product-name') || 'Coffer',
    shades: shades === '' ? null : (JSON.parse(shades) as Shades),
    address: meta('firm-address'),
    phone: meta('firm-phone'),
    welcome: meta('welcome'),
    logo: id === '' ? null : { src: logoAddress(id), width: Number(width), height: Number(height) },
  };
}

let face = faceOfPage();
const listeners = newListeners();

/** As of now, for what is not drawn again when it changes. */
export const firmFace = (): FirmFace => face;

export const useFirmFace = (): FirmFace => useSyncExternalStore(listeners.add, firmFace);

/** Where people write to where nobody names an address: guessed from the host, and perhaps read by nobody. */
export const guessedSupportEmail = `support@${window.location.hostname}`;

/** Where people who need help write to. */
export const supportEmail = () => meta('support-email') || guessedSupportEmail;

/** What the server would write into the page from now on: the page itself stays. */
export function rememberFirm(next: FirmFace, support: string): void {
  element('support-email')?.setAttribute('content', support);
  face = next;
  listeners.tell();
}

/** Whether the Safeguards profile is on: a second factor for everyone, shorter sessions, stricter passwords. */
export const safeguards = meta('safeguards') === 'on';

/** For how many days what is deleted can be restored. */
export const trashDays = Number(meta('trash-days')) || 30;

/** Whether the portal sends mail. */
export const mailIsOn = meta('mail') === 'on';

/** Whether files are found by what stands on their pages. */
export const searchesInside = meta('search-inside') === 'on';

export const passwordProfile: PasswordProfile = safeguards ? 'safeguards' : 'standard';
