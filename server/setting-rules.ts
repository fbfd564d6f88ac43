// Rules for single settings that take more than a line of `config.ts`.

import { isIP } from 'node:net';
import { isTimeZone } from '#contract/time-zones.ts';

export function isAddressOrCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** A name with its capitals, behind the colon that TZ may have: a process reads UTC in place of any other spelling, without a word. */
const ZONE = /^:?[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/;

export const isClock = (text: string) => ZONE.test(text) && isTimeZone(text.replace(':', ''));
