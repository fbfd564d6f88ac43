// The mail server that mails are handed to, as SMTP_URL names it, and the sender that they name.
import { Email, textLine } from '#contract/fields.ts';
import { isLoopback } from './loopback.ts';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `begins`: encrypted from the first byte; `starttls`: encrypted before anything is said; `off`: in plain. */
  readonly tls: 'begins' | 'starttls' | 'off';
  readonly account: { readonly user: string; readonly password: string } | null;
}

export interface MailAddress {
  /** Empty where it has none. */
  readonly name: string;
  readonly address: string;
}

const FORM = 'must be smtps://user:password@host or smtp://user:password@host:587';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads SMTP_URL; a string is what is wrong with it. */
export function readMailServer(text: string): MailServer | string {
  if (!/^smtps?:\/\/./.test(text) || !URL.canParse(text)) return FORM;
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === '' || !['', '/'].includes(url.pathname) || url.hash !== '') return FORM;
  const asked = url.searchParams.get('tls');
  if ([...url.searchParams.keys()].some((key) => key !== 'tls') || ![null, 'off', 'required'].includes(asked)) {
    return 'may end in ?tls=required or ?tls=off and nothing else';
  }
  const begins = url.protocol === 'smtps:';
  if (begins && asked === 'off') return 'is encrypted with smtps:, so tls=off contradicts it';
  const isOff = asked === 'off' || (asked === null && !begins && isLoopback(host));
  const tls = begins ? 'begins' : isOff ? 'off' : 'starttls';
  const user = decoded(url.username);
  if (user === '' && url.password !== '') return 'names a password without a user name';
  if (tls === 'off' && user !== '' && !isLoopback(host)) return 'must not send a password unencrypted (tls=off)';
  const usual = { begins: 465, starttls: 587, off: 25 };
  return {
    host,
    port: url.port === '' ? usual[tls] : Number(url.port),
    tls,
    account: user === '' ? null : { user, password: decoded(url.password) },
  };
}

const SenderName = textLine({ min: 1, max: 100, message: 'Must not be empty' });

/** Reads `name@host` or `Name <name@host>`; null where it is neither. */
export function readSender(text: string): MailAddress | null {
  const [, name = '', within, alone] = /^(?:([^<>]*)<([^<>]*)>|([^<>]*))$/.exec(text.trim()) ?? [];
  const address = Email.safeParse(within ?? alone);
  if (!address.success) return null;
  const written = name.trim().replace(/^"(.*)"$/, '$1');
  if (written === '') return { name: '', address: address.data };
  const shown = SenderName.safeParse(written);
  return shown.success ? { name: shown.data, address: address.data } : null;
}
