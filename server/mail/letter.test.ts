// What people write stays what they wrote: in a mail it becomes no header, no markup and no other address.
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import { PRODUCT_SHADES } from '#contract/shades.ts';
import { compose } from './compose.ts';
import { writeLetter } from './letter.ts';

const HOSTILE = [
  'Rosa\r\nBcc: other@example.com',
  'Rosa\nContent-Type: text/html\n\n<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><a href="https://elsewhere.example">here</a>',
  "' onmouseover='x",
  'Розa \u202efdp.exe Ünïcode 漢字 🙂',
  '=?utf-8?q?Bcc:?= x',
  'Rosa" <other@example.com>, "',
  'x'.repeat(3_000),
  '\u2028.\u2029.',
  '\r\n.\r\nMAIL FROM:<x@y.com>',
];

it.each(HOSTILE)('G72: as subject, name, sentence, fact and link of a mail: %j', async (words) => {
  const href = `https://portal.example.com/page#${encodeURIComponent(words)}`;
  const letter = writeLetter(
    {
      subject: words,
      heading: words,
      paragraphs: [words],
      facts: [[words, words]],
      items: [[words, words]],
      more: words,
      button: { label: words, href },
      after: [words],
    },
    { name: words, support: words, phone: words, address: `${words}\n${words}`, accent: '#0b5d4e' },
  );
  const message = await compose(letter, {
    from: { name: words, address: 'portal@example.com' },
    to: { name: words, address: 'rosa@example.com' },
    messageId: '<1@example.com>',
    writtenAt: 0,
  });
  // In the text they make no line either: seven parts with an empty one between, of which the button has two lines.
  const [body = ''] = letter.text.split('\n\n-- \n');
  expect(body.split(/[\r\n\u2028\u2029]/)).toHaveLength(14);
  const [head = ''] = message.toString().split(/\r?\n\r?\n/);
  const names = head.split(/\r?\n/).flatMap((line) => /^([A-Za-z-]+):/.exec(line)?.[1] ?? []);
  expect(names.sort()).toEqual([
    'Auto-Submitted',
    'Content-Type',
    'Date',
    'From',
    'MIME-Version',
    'Message-ID',
    'Subject',
    'To',
    'X-Auto-Response-Suppress',
  ]);
  expect(
    Math.max(
      ...message
        .toString()
        .split('\r\n')
        .map((line) => line.length),
    ),
  ).toBeLessThan(998);
  const mail = await PostalMime.parse(message);
  expect([mail.from?.address, mail.to?.map(({ address }) => address), mail.cc, mail.bcc, mail.attachments]).toEqual([
    'portal@example.com',
    ['rosa@example.com'],
    undefined,
    undefined,
    [],
  ]);
  expect(mail.subject).not.toMatch(/[\r\n\u2028\u2029\u202e]/);
  const html = mail.html ?? '';
  const tags = [...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag = '']) => tag.toLowerCase());
  expect(new Set(tags)).toEqual(
    new Set(['html', 'head', 'meta', 'title', 'style', 'body', 'table', 'tr', 'td', 'th', 'h1', 'p', 'a']),
  );
  expect([...html.matchAll(/ href="([^"]*)"/g)].map(([, address]) => new URL(address ?? '').origin)).toEqual([
    'https://portal.example.com',
    'https://portal.example.com',
  ]);
  expect(html).not.toMatch(/<[^>]* on[a-z]+\s*=\s*['"]?[^>]*>/i);
});

it.each([
  ['941 12-3456789.pdf', '941 XX-XXX6789.pdf'],
  ['W-2 900-12-3456 Rosa.pdf', 'W-2 XXX-XX-3456 Rosa.pdf'],
  ['941_123456789_Q1.pdf', '941_XXXXX6789_Q1.pdf'],
  ['12\u20113456789', 'XX\u2011XXX6789'],
  ['900 12 3456 and 12_3456789', 'XXX XX 3456 and XX_XXX6789'],
  ['900\u201412\u20143456 and 12\u22123456789', 'XXX\u2014XX\u20143456 and XX\u2212XXX6789'],
  ['900\u00a012\u00a03456 and 12 \u2013 3456789', 'XXX\u00a0XX\u00a03456 and XX \u2013 XXX6789'],
  ['900 - 12 - 3456 Rosa.pdf', 'XXX - XX - 3456 Rosa.pdf'],
  ['941-31-2026 and 941-00-2026', 'XXX-XX-2026 and XXX-XX-2026'],
  ['941-12-2026.pdf 940_01_2025', '941-12-2026.pdf 940_01_2025'],
  ['941 - 12 - 2026.pdf', '941 - 12 - 2026.pdf'],
  ['Journal 2026-01-31.pdf', 'Journal 2026-01-31.pdf'],
  ['20260131 (207)-555-0142 1234567890.pdf', '20260131 (207)-555-0142 1234567890.pdf'],
])('G131: what a mail tells of is named without the number of a person: %s', (what, written) => {
  const writer = { name: 'Harbor', support: '', phone: '', address: '', accent: '' };
  const { text, html } = writeLetter({ subject: 's', heading: 'h', paragraphs: [], items: [[what, what]] }, writer);
  expect(text).toContain(`${written}: ${written}`);
  expect(html.split(`>${written}<`)).toHaveLength(3);
});

it('what can be looked up is a table of headed rows to a screen reader, and no other table is one', () => {
  const facts = [
    ['When', 'Today'],
    ['Device', 'Chrome on Windows'],
  ] as const;
  const writer = { name: 'Harbor', support: '', phone: '', address: '', accent: '' };
  const { html } = writeLetter({ subject: 's', heading: 'h', paragraphs: [], facts }, writer);
  expect(html).toContain('<html lang="en" dir="ltr">');
  expect(html.match(/<h1 /g)).toHaveLength(1);
  const tables = [...html.matchAll(/<table([^>]*)>/g)].map(([, attributes = '']) => attributes);
  expect(tables.filter((attributes) => !attributes.includes('role="presentation"'))).toHaveLength(1);
  const headed = [...html.matchAll(/<tr><th scope="row"[^>]*>([^<]*)<\/th><td[^>]*>([^<]*)<\/td><\/tr>/g)];
  expect(headed.map(([, label, value]) => [label, value])).toEqual(facts);
});

it('G97: the firm is in the foot and the colours of a mail, as text', () => {
  const letter = {
    subject: 's',
    heading: 'h',
    paragraphs: ['p'],
    button: { label: 'Open', href: 'https://portal.example.com/' },
  };
  const writer = { name: 'Harbor <b>', support: '', phone: '', address: '', accent: '' };
  const plain = writeLetter(letter, writer);
  expect(plain.text).toMatch(/-- \nThis mail was sent automatically by Harbor <b>\.\n$/);
  // As the preview on the page of the firm shows it.
  expect(plain.html).toContain(`background:${PRODUCT_SHADES.ten[7]};color:#ffffff`);
  const full = writeLetter(letter, {
    ...writer,
    support: 'help@example.com',
    phone: '(937)-555-0100',
    address: '12 Harbor Street\n<i>Dayton</i>',
    accent: '#0b5d4e',
  });
  expect(full.text).toContain(
    'Harbor <b>.\nQuestions? Write to help@example.com or call (937)-555-0100.\n12 Harbor Street\n<i>Dayton</i>\n',
  );
  expect(full.html).toContain('background:#0b5d4e;color:#ffffff');
  expect(full.html).toContain('&lt;i&gt;Dayton&lt;/i&gt;');
  expect(full.html).not.toMatch(new RegExp(`${PRODUCT_SHADES.ten[7]}|${PRODUCT_SHADES.dark.anchor}|<b>|<i>`));
  expect(writeLetter(letter, { ...writer, phone: '(937)-555-0100' }).text).toContain('Questions? Call (937)-555-0100.');
});
