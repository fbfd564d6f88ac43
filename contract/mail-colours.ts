// The colours of a mail, for the server that writes it and the page that shows how it will look.
import type { Shades } from './shades.ts';

export const MAIL_COLOURS = {
  light: { ground: '#f2f4f6', sheet: '#ffffff', line: '#dde2e7', ink: '#1b2128', soft: '#55606c', onButton: '#ffffff' },
  dark: { ground: '#16191d', sheet: '#1f2429', line: '#39414a', ink: '#e8ebee', soft: '#aab3bd', onButton: '#10161d' },
} as const;

/** What is coloured by the accent. */
export const mailAccent = ({ ten, light, dark }: Shades) => ({
  light: { button: ten[7], link: light.anchor },
  dark: { button: dark.anchor, link: dark.anchor },
});
