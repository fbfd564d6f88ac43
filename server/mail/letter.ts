// What a mail says, and how it is written: one template makes the text and the HTML of every kind.
import { shadesOf } from '#contract/accent.ts';
import { MAIL_COLOURS, mailAccent } from '#contract/mail-colours.ts';
import { PRODUCT_SHADES } from '#contract/shades.ts';
import { formatsByZone } from '#contract/time-zones.ts';
import type { Face } from '../people/access/firm-settings.ts';

/** What a kind of mail has to say. All of it is plain text: whoever's words they are, they become no markup. */
export interface Letter {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** What can be looked up, a line each: ['When', 'January 31, 2026 at 3:00 PM']. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** What it tells of (files, requests), each with a line about it, one below the other: they are longer than what can be looked up. Numbers of people in them are not written. */
  readonly items?: readonly (readonly [name: string, about: string])[];
  /** Below these, in one sentence: how many are left out. */
  readonly more?: string;
  readonly button?: { readonly label: string; readonly href: string };
  /** Below the button. */
  readonly after?: readonly string[];
  /** How its person ends mails of this kind: by a page, and by one press of the mail program (RFC 8058). */
  readonly ending?: { readonly label: string; readonly href: string; readonly oneClick: string };
}

/** In whose name it is written; each empty where there is none, but for the name. */
export type Writer = Pick<Face, 'name' | 'support' | 'phone' | 'address' | 'accent'>;

export interface WrittenLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The address by which a mail program ends mails of this kind. */
  readonly oneClick?: string;
}

const SUBJECT_MAX = 150;
const LINE_MAX = 2_000;

/** One line, whatever was in it: a header ends where its line ends. */
export const oneLine = (text: string, max: number) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim()
    .slice(0, max);

/** Hyphens, dashes, a minus, spaces that break or do not, underscores and dots. */
const PARTS = String.raw`[-\u2010-\u2015\u2212 \u00a0\u202f_.]`;
/**
 * 12-3456789, 123-45-6789, and the nine digits of either, however they are parted: federal ids and social security numbers, which people
 * put into names of files. 941-12-2026 is a form and its month.
 */
const NUMBERS_OF_PEOPLE = new RegExp(
  String.raw`(?<!\d)(?:\d{2}${PARTS}{0,3}\d{7}|(?!94[01345]${PARTS}{1,3}(?:0[1-9]|1[0-2])${PARTS}{1,3}20\d\d)\d{3}${PARTS}{1,3}\d{2}${PARTS}{1,3}\d{4})(?!\d)`,
  'g',
);

/** A name as a mail says it: with no more of such a number than its last four digits, as who may not see them has them in the portal. */
const named = (text: string) =>
  text.replace(NUMBERS_OF_PEOPLE, (number) => number.slice(0, -4).replaceAll(/\d/g, 'X') + number.slice(-4));

const momentsIn = formatsByZone({
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** 'January 31, 2026 at 3:00 PM EST': nobody knows in which zone a mail is read. */
export const momentWords = (at: number, timeZone: string) => momentsIn(timeZone).format(at);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const { light: LIGHT, dark: DARK } = MAIL_COLOURS;

/** Programs that show mails know styles of elements, and some of them this sheet too: for a dark screen it has the last word. */
const dark = ({
  button: filled,
  link,
}: Accent['dark']) => `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:${DARK.ground}!important}
.sheet{background:${DARK.sheet}!important;border-color:${DARK.line}!important}
.ink{color:${DARK.ink}!important}
.soft{color:${DARK.soft}!important}
.link{color:${link}!important}
.button{background:${filled}!important;color:${DARK.onButton}!important}
}`;

type Accent = ReturnType<typeof mailAccent>;

const accentOf = ({ accent }: Pick<Writer, 'accent'>): Accent =>
  mailAccent(accent === '' ? PRODUCT_SHADES : shadesOf(accent));

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const INK = `color:${LIGHT.ink}`;
const SOFT = `color:${LIGHT.soft}`;

const paragraph = (text: string) =>
  `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:1.5;${INK};overflow-wrap:anywhere">${escaped(text)}</p>`;

const row = ([label, value]: readonly [string, string]) =>
  `<tr><th scope="row" class="soft" style="padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:normal;font-size:15px;${SOFT}">${escaped(label)}</th><td class="ink" style="padding:4px 0;font-size:15px;${INK};overflow-wrap:anywhere">${escaped(value)}</td></tr>`;

const item = ([name, about]: readonly [string, string]) =>
  `<p class="ink" style="margin:0;font-size:15px;line-height:1.4;font-weight:600;${INK};overflow-wrap:anywhere">${escaped(name)}</p>
<p class="soft" style="margin:0 0 12px;font-size:14px;line-height:1.4;${SOFT};overflow-wrap:anywhere">${escaped(about)}</p>`;

function button({ label, href }: NonNullable<Letter['button']>, accent: Accent): string {
  const address = escaped(href);
  return `<p style="margin:8px 0 24px"><a class="button" href="${address}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${accent.light.button};color:${LIGHT.onButton};font-size:16px;font-weight:600;text-decoration:none">${escaped(label)}</a></p>
<p class="soft" style="margin:0 0 16px;font-size:14px;line-height:1.5;${SOFT}">If the button does not work, open this address: <a class="link" href="${address}" style="color:${accent.light.link};overflow-wrap:anywhere">${address}</a></p>`;
}

const endingLine = ({ label, href }: NonNullable<Letter['ending']>, accent: Accent) =>
  `<p class="soft" style="margin:8px 0 4px;font-size:13px;line-height:1.5;${SOFT}"><a class="link" href="${escaped(href)}" style="color:${accent.light.link}">${escaped(label)}</a></p>`;

function html(
  { heading, paragraphs, facts = [], items = [], more, button: link, after = [], ending }: Letter,
  subject: string,
  footer: string[],
  accent: Accent,
) {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${dark(accent.dark)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${LIGHT.ground};${FONT}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:${LIGHT.ground}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${LIGHT.sheet};border:1px solid ${LIGHT.line};border-radius:12px"><tr><td style="padding:28px 28px 12px;text-align:left">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;${INK};overflow-wrap:anywhere">${escaped(heading)}</h1>
${paragraphs.map(paragraph).join('\n')}
${facts.length === 0 ? '' : `<table style="margin:0 0 16px;border-collapse:collapse">${facts.map(row).join('')}</table>`}
${items.map(item).join('\n')}
${more === undefined ? '' : paragraph(more)}
${link === undefined ? '' : button(link, accent)}
${after.map(paragraph).join('\n')}
</td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td style="padding:16px 28px;text-align:left">
${footer.map((line) => `<p class="soft" style="margin:0 0 4px;font-size:13px;line-height:1.5;${SOFT}">${escaped(line)}</p>`).join('\n')}
${ending === undefined ? '' : endingLine(ending, accent)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

function plain(
  { heading, paragraphs, facts = [], items = [], more, button: link, after = [], ending }: Letter,
  footer: string[],
): string {
  // A break in somebody's words would let them write lines that the mail does not say, such as a foot of its own.
  const line = (words: string) => oneLine(words, LINE_MAX);
  return [
    line(heading),
    ...paragraphs.map(line),
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${line(label)}: ${oneLine(value, 500)}`).join('\n')]),
    ...(items.length === 0
      ? []
      : [items.map(([name, about]) => `${oneLine(name, 500)}: ${oneLine(about, 500)}`).join('\n')]),
    ...(more === undefined ? [] : [line(more)]),
    ...(link === undefined ? [] : [`${line(link.label)}:\n${link.href}`]),
    ...after.map(line),
    ['-- ', ...footer.map(line), ...(ending === undefined ? [] : [`${ending.label}: ${ending.href}`])].join('\n'),
  ].join('\n\n');
}

export function writeLetter(given: Letter, writer: Writer): WrittenLetter {
  const { name, support, phone, address } = writer;
  const items = given.items?.map(([what, about]) => [named(what), named(about)] as const) ?? [];
  const letter = { ...given, items };
  const subject = oneLine(letter.subject, SUBJECT_MAX);
  const ways = [...(support === '' ? [] : [`write to ${support}`]), ...(phone === '' ? [] : [`call ${phone}`])].join(
    ' or ',
  );
  const footer = [
    `This mail was sent automatically by ${name}.`,
    ...(ways === '' ? [] : [`Questions? ${ways.charAt(0).toUpperCase()}${ways.slice(1)}.`]),
    ...(address === '' ? [] : address.split('\n')),
  ];
  return {
    subject,
    text: `${plain(letter, footer)}\n`,
    html: html(letter, subject, footer, accentOf(writer)),
    ...(letter.ending === undefined ? {} : { oneClick: letter.ending.oneClick }),
  };
}
