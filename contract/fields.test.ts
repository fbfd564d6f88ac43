// The fields both sides read: what each accepts, what it becomes, and that every refusal is one of the product's own sentences.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api, type Endpoint } from './api.ts';
import { isCalendarDate } from './calendar-date.ts';
import {
  DayOrInstant,
  dateOnly,
  Email,
  EmailOrNone,
  EmployeeCount,
  FederalId,
  foldKey,
  Id,
  IdList,
  IdText,
  Phone,
  pageQuery,
  SearchText,
  sortQuery,
  storedTextLine,
  TimeZone,
  textLine,
} from './fields.ts';

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const messageOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;

describe('a line of text', () => {
  const line = textLine({ min: 3, max: 10, message: 'Too little' });

  it('is trimmed and measured without its outer space', () => {
    expect(line.parse('  abc ')).toBe('abc');
    expect(line.parse('\u00a0abc\ufeff')).toBe('abc');
    expect(messageOf(line, ' ab ')).toBe('Too little');
    expect(line.parse('0123456789')).toBe('0123456789');
    expect(messageOf(line, '0123456789x')).toBe('Must be at most 10 characters');
  });

  it.each([undefined, null, 3, true, {}, ['abc']])('is not %j', (value) =>
    expect(messageOf(line, value)).toBe('Too little'),
  );

  it('holds no character that breaks lines, hides or turns text around', () => {
    const bad = [
      '\u0000',
      '\t',
      '\n',
      '\r',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u009f',
      '\u2028',
      '\u2029',
      '\u202a',
      '\u202e',
      '\u2066',
      '\u2069',
    ];
    for (const character of [...bad, '\ud800', '\udfff']) {
      expect([character, messageOf(line, `ab${character}cd`)]).toEqual([
        character,
        'Must not contain control characters',
      ]);
      expect(takes(SearchText, `ab${character}cd`)).toBe(false);
    }
    for (const character of ["'", '"', '<', '%', '\\', 'é', '\u0301', '日', '\u{1F600}']) {
      expect(line.parse(`ab${character}cd`)).toBe(`ab${character}cd`);
    }
  });
});

describe('what is seen of a line of text', () => {
  const line = textLine({ min: 3, max: 20, message: 'Too little' });
  const stored = storedTextLine({ min: 3, max: 20, message: 'Too little' });

  it('G16: is all of it', () => {
    for (const character of ['\u00ad', '\u115f', '\u180e', '\u200b', '\u200d', '\u2800', '\ufe0f', '\u{e0020}']) {
      const message = 'Must not contain invisible characters. Please type it again instead of pasting it.';
      expect([character, messageOf(line, `ab${character}cd`)]).toEqual([character, message]);
      expect([character, takes(stored, `ab${character}cd`)]).toEqual([character, true]);
    }
  });

  it('G16: is more than marks and unknown code points', () => {
    const message = 'Must contain at least one letter, digit or other visible character';
    for (const text of ['\u0301\u0302\u0303', '\ue000\ue001\ue002', '\uffff\uffff\uffff']) {
      expect([text, messageOf(line, text)]).toEqual([text, message]);
    }
    for (const text of ['...', '123', '日本語', '+/-', '😀😀😀', 'e\u0301e']) {
      expect([text, messageOf(line, text)]).toEqual([text, undefined]);
    }
    expect(messageOf(line, '   ')).toBe('Too little');
    expect(textLine({ min: 1, max: 20, message: 'Missing' }).safeParse('').error?.issues).toHaveLength(1);
  });
});

describe('an id', () => {
  it('in text is the plain decimal form of a positive safe integer and nothing else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        expect(IdText.parse(String(id))).toBe(id);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (text) => {
        const number = Number(text);
        const plain = Number.isSafeInteger(number) && number > 0 && String(number) === text;
        expect([text, takes(IdText, text)]).toEqual([text, plain]);
      }),
    );
    for (const text of [
      '0',
      '01',
      '+1',
      '-1',
      '1e0',
      '0x1',
      '1.0',
      ' 1',
      '1 ',
      '1\n',
      '',
      '١',
      '9007199254740992',
      '9223372036854775808',
    ]) {
      expect([text, messageOf(IdText, text)]).toEqual([text, 'Must be a positive whole number']);
    }
  });

  it('in JSON is a positive safe integer', () => {
    for (const good of [1, 2 ** 53 - 1]) expect(takes(Id, good)).toBe(true);
    for (const bad of [0, -1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', null, [1]])
      expect(takes(Id, bad)).toBe(false);
  });

  it('appears once in a list, and no list is an empty one', () => {
    for (const nothing of [undefined, null, []]) expect(IdList.parse(nothing)).toEqual([]);
    expect(IdList.parse([3, 1, 3])).toEqual([3, 1]);
    expect(
      takes(
        IdList,
        Array.from({ length: 10_001 }, (_, index) => index + 1),
      ),
    ).toBe(false);
    for (const bad of ['1', 1, {}, [0], ['1'], [null]]) expect(takes(IdList, bad)).toBe(false);
  });
});

describe('a form field', () => {
  it.each<[string, z.ZodType, string[], unknown[], string]>([
    [
      'phone',
      Phone,
      ['(207)-555-0142'],
      ['(207)-555-0142\n', '(207)-555-014', '207-555-0142', '(２０７)-555-0142', '', null],
      'Phone must be in format: (XXX)-XXX-XXXX',
    ],
    [
      'federal id',
      FederalId,
      ['00-1234567'],
      ['00-1234567\n', '0-1234567', '001234567', 'AB-1234567', '', 1],
      'Federal ID must be in format: XX-XXXXXXX',
    ],
    [
      'email',
      Email,
      ['a@example.com', 'first.last+tag@sub.example.com', 'rosa@xn--e1afmkfd.xn--p1ai', 'rosa@пример.рф'],
      [
        'a',
        'a@b',
        'a@b.c1',
        'a@b.xn--',
        'rösa@example.com',
        'rosa@exämple.com/inbox',
        'rosa@exämple..com',
        `rosa@${'ä'.repeat(240)}.com`,
        'a b@example.com',
        'a@exa\nmple.com',
        `${'a'.repeat(250)}@example.com`,
        '',
        null,
      ],
      'Invalid email address',
    ],
    [
      'count',
      EmployeeCount,
      ['0', '12', '00012'],
      ['-1', -1, '1.5', 1.5, '', ' 1', 'x', '1e3', null, Number.NaN],
      'Employee count must be a positive number',
    ],
  ])('%s takes its form and says it where it is another', (_what, schema, good, bad, message) => {
    for (const value of good) expect([value, takes(schema, value)]).toEqual([value, true]);
    for (const value of bad) expect([value, messageOf(schema, value)]).toEqual([value, message]);
  });

  it('email has its domain as mail servers know it, whether a form, a CSV or a call brings it', () => {
    for (const schema of [Email, EmailOrNone]) {
      expect(schema.parse(' Umlaut@exämple.com ')).toBe('Umlaut@xn--exmple-cua.com');
      expect(schema.parse('umlaut@xn--exmple-cua.com')).toBe('umlaut@xn--exmple-cua.com');
      expect(schema.parse('Rosa@Example.COM')).toBe('Rosa@Example.COM');
    }
  });

  it('count has an end', () => {
    for (const count of [10_000_000, '10000000']) expect(takes(EmployeeCount, count)).toBe(true);
    for (const count of [10_000_001, '10000001', 1e300, '9'.repeat(50)])
      expect(takes(EmployeeCount, count)).toBe(false);
  });

  it('count is a number, whether it came as one or as digits', () => {
    expect(['12', 12, '0', 0].map((value) => EmployeeCount.parse(value))).toEqual([12, 12, 0, 0]);
  });

  it('date is a day that the calendar has', () => {
    const start = dateOnly('Start date is required');
    const leap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    const lengths = (year: number) => [31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    fc.assert(
      fc.property(
        fc.integer({ min: 1890, max: 2210 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          const exists = year >= 1900 && year <= 2199 && day >= 1 && day <= (lengths(year)[month - 1] ?? 0);
          expect([text, isCalendarDate(text), takes(start, text)]).toEqual([text, exists, exists]);
        },
      ),
      { numRuns: 2_000 },
    );
    for (const missing of ['', undefined, null, 5]) expect(messageOf(start, missing)).toBe('Start date is required');
    for (const text of ['2026-1-31', '01/31/2026', '2026-01-31T00:00:00Z', '2026-01-31 ', '20260131']) {
      expect([text, messageOf(start, text)]).toEqual([text, 'Must be a date like 2026-01-31']);
    }
  });
});

describe('a filter', () => {
  it('takes a day or an instant with its offset', () => {
    for (const text of [
      '2026-01-31',
      '2026-01-31T15:00:00Z',
      '2026-01-31T15:00:00.123Z',
      '2026-01-31T15:00:00-05:00',
    ]) {
      expect([text, takes(DayOrInstant, text)]).toEqual([text, true]);
    }
    for (const text of [
      '',
      '2026-02-30',
      '2026-01-31T15:00:00',
      '2026-01-31T25:00:00Z',
      '2026-02-30T10:00:00Z',
      'yesterday',
      '1769817600000',
    ]) {
      expect([text, takes(DayOrInstant, text)]).toEqual([text, false]);
    }
    // Whatever it takes is a moment that can be compared with.
    const instant = fc
      .date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') })
      .map((date) => date.toISOString());
    fc.assert(
      fc.property(fc.oneof(instant, fc.string({ maxLength: 30 })), (text) => {
        if (takes(DayOrInstant, text)) expect(Number.isSafeInteger(Date.parse(text))).toBe(true);
      }),
    );
  });

  it('takes a time zone there is', () => {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) expect(takes(TimeZone, zone)).toBe(true);
    for (const zone of ['', 'Mars/Olympus', '../etc', 'America/New_York\u0000', 'x'.repeat(65)])
      expect(takes(TimeZone, zone)).toBe(false);
  });

  it('takes pages of 1 to 1,000 rows', () => {
    const page = z.strictObject(pageQuery);
    expect(page.parse({ limit: '1000', offset: '0' })).toEqual({ limit: 1_000, offset: 0 });
    for (const limit of ['0', '1001', '-1', '1.5', '01', '1e2', '', ' 1', '99999999999'])
      expect([limit, takes(page, { limit })]).toEqual([limit, false]);
    for (const offset of ['-1', '1.5', '00', '', '100000001'])
      expect([offset, takes(page, { offset })]).toEqual([offset, false]);
  });

  it('sorts by named columns, up and down', () => {
    const sort = sortQuery(['name', 'size']);
    for (const key of ['name', '-name', 'size', '-size', undefined]) expect(takes(sort, key)).toBe(true);
    for (const key of ['', '-', '--name', '+name', 'Name', 'name,size', 'password_hash'])
      expect([key, takes(sort, key)]).toEqual([key, false]);
  });
});

describe('the form under which names are compared', () => {
  it.each([
    ['É', 'é'],
    ['e\u0301', 'é'],
    ['ЖУК', 'жук'],
    ['ＡＤＭＩＮ', 'admin'],
    ['  Admin ', 'admin'],
    ['ﬁle', 'file'],
    ['Ⅱ', 'ii'],
  ])('%s is %s', (text, folded) => expect(foldKey(text)).toBe(folded));

  it('keeps different names apart', () => {
    const names = ['admin', 'admın', 'adm1n', 'аdmin', 'a dmin', 'admin.'];
    expect(new Set(names.map(foldKey)).size).toBe(names.length);
  });

  it('is its own form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = foldKey(text.normalize('NFKC').toLowerCase());
        expect(foldKey(once)).toBe(once);
      }),
    );
  });
});

describe('every refusal of every call', () => {
  // What can arrive at all: text, or several texts under one name, in an address or a form; any JSON in a body.
  const texts: unknown[] = [undefined, '', 'x', '-1', '1e300', 'x'.repeat(100_000), ['1', '2']];
  const json: unknown[] = [...texts, null, true, -1, 1.5, 1e300, {}, [], [null], ['x'], [-1], [1.5]];
  const parts = (Object.entries(api) as [string, Endpoint][]).flatMap(([name, endpoint]) =>
    (['params', 'query', 'body', 'upload'] as const).flatMap((part) => {
      const schema = endpoint[part];
      return schema === undefined
        ? []
        : [{ where: `${part} of ${name}`, schema, values: part === 'body' ? json : texts }];
    }),
  );

  it.each(parts)('is said in the words of the product: $where', ({ schema, values }) => {
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const inputs = values.flatMap((value) => fields.map((field) => ({ [field]: value })));
    const said = [...inputs, {}].flatMap((input) => schema.safeParse(input).error?.issues ?? []);
    // The words of the validator itself, which speak of types.
    const foreign = said.filter((issue) => /^(Invalid (input|option)|Too (small|big)|Expected)/.test(issue.message));
    expect([...new Set(foreign.map((issue) => `${issue.path.join('.')}: ${issue.message}`))]).toEqual([]);
  });
});
