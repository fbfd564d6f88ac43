// The contrast of the theme's colours: text on every background that it may have (WCAG 1.4.3, 1.4.11).
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { describe, expect, it, vi } from 'vitest';
import { contrast, shadesOf } from '#contract/accent.ts';
import { PRODUCT_SHADES } from '#contract/shades.ts';
import { cssVariablesOf, themeOf } from './theme.ts';

// It listens to the page, and there is none here.
vi.mock('./rescue-focus.ts', () => ({ rescueFocus: () => undefined }));

const TEXT_MIN = 4.5;
const CONTROL_MIN = 3;

/** The product's own, and what firms may choose: dark, bright, grey, and nearly too light. */
const ACCENTS = [null, '#0b3d2e', '#e8452c', '#8a7400', '#1a1a1a', '#767676', '#7b2fbe', '#008299', '#c2185b'];

const GROUNDS = ['--mantine-color-body', '--coffer-ground', '--coffer-hover'];
const TEXTS = [
  '--mantine-color-text',
  '--mantine-color-dimmed',
  '--mantine-color-error',
  '--mantine-color-anchor',
  '--coffer-success',
  '--coffer-danger',
];

describe.each(ACCENTS.flatMap((accent) => (['light', 'dark'] as const).map((scheme) => ({ scheme, accent }))))(
  'the colours of the $scheme theme with the accent $accent',
  ({ scheme, accent }) => {
    const shades = accent === null ? PRODUCT_SHADES : shadesOf(accent);
    const merged = mergeMantineTheme(DEFAULT_THEME, themeOf(shades));
    const variables = cssVariablesOf(shades)(merged);
    const named: Readonly<Record<string, string | undefined>> = variables[scheme];
    const colour = (name: string) => {
      const value = named[name] ?? '';
      expect([name, value]).toEqual([name, expect.stringMatching(/^#[0-9a-f]{6}$/)]);
      return value;
    };

    it.each(TEXTS)('%s is read on every ground', (text) => {
      for (const ground of GROUNDS) {
        const [title, ratio] = [`${text} on ${ground}`, contrast(colour(text), colour(ground))];
        expect(ratio, title).toBeGreaterThanOrEqual(TEXT_MIN);
      }
    });

    it('a warning is read on its ground', () => {
      expect(contrast(colour('--coffer-warned'), colour('--coffer-warned-ground'))).toBeGreaterThanOrEqual(TEXT_MIN);
    });

    it.each(['--mantine-color-text', '--coffer-chosen-text', '--mantine-color-dimmed', '--mantine-color-anchor'])(
      '%s is read on what is chosen',
      (text) => {
        expect(contrast(colour(text), colour('--coffer-chosen'))).toBeGreaterThanOrEqual(TEXT_MIN);
      },
    );

    it('what an empty field suggests is read', () => {
      expect(contrast(colour('--mantine-color-placeholder'), colour('--mantine-color-body'))).toBeGreaterThanOrEqual(
        TEXT_MIN,
      );
    });

    it('the word of a filled button is read', () => {
      const shade = typeof merged.primaryShade === 'number' ? merged.primaryShade : merged.primaryShade[scheme];
      expect(
        contrast(merged.white.replace(/^#fff$/, '#ffffff'), merged.colors[merged.primaryColor]?.[shade] ?? ''),
      ).toBeGreaterThanOrEqual(TEXT_MIN);
    });

    it('the word of a button that deletes is read', () => {
      expect(contrast('#ffffff', merged.colors['red']?.[9] ?? '')).toBeGreaterThanOrEqual(TEXT_MIN);
    });

    it('the edge of a control is seen', () => {
      for (const ground of ['--mantine-color-body', '--coffer-ground']) {
        expect(contrast(colour('--coffer-control'), colour(ground)), ground).toBeGreaterThanOrEqual(CONTROL_MIN);
      }
    });
  },
);

const WEB = resolve(import.meta.dirname, '..');
const styles = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'));

/** Colours that stand in one style sheet alone, with the ground that the same rule gives them. */
const pairs = styles.flatMap((path) =>
  [
    ...readFileSync(join(WEB, path), 'utf8').matchAll(
      /--([a-z]+)-text: (#[0-9a-f]{6});\s*--\1-ground: (#[0-9a-f]{6});/g,
    ),
  ].map(([, hue = '', text = '', ground = '']) => ({ path, hue, text, ground })),
);

describe('the colours of one place', () => {
  it('stand in the rules as a text and its ground, and nowhere else', () => {
    const literals = styles.flatMap((path) =>
      [...readFileSync(join(WEB, path), 'utf8').matchAll(/#[0-9a-f]{3,8}\b/gi)].map(
        ([literal]) => `${path}: ${literal}`,
      ),
    );
    const known = pairs.flatMap(({ path, text, ground }) => [`${path}: ${text}`, `${path}: ${ground}`]);
    // White: a page of a PDF, and the word of a filled button, as above.
    expect(literals.filter((literal) => !known.includes(literal) && !literal.endsWith(': #fff'))).toEqual([]);
    expect(pairs.length).toBeGreaterThan(0);
  });

  it.each(pairs)('$text is read on $ground ($path)', ({ text, ground }) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(TEXT_MIN);
  });

  it('every colour of text that a style sheet names is held against its grounds', () => {
    const named = styles.flatMap((path) =>
      [...readFileSync(join(WEB, path), 'utf8').matchAll(/^\s*color: var\((--[a-z0-9-]+)\)/gm)].map(
        ([, name = '']) => name,
      ),
    );
    const ofPairs = pairs.map(({ hue }) => `--${hue}-text`);
    const held = [...TEXTS, '--coffer-chosen-text', '--coffer-warned', '--mantine-color-placeholder', ...ofPairs];
    // Only marks and borders, or the ground on the text.
    const others = [
      '--coffer-chosen-line',
      '--coffer-control',
      '--coffer-line',
      // Of the picture of a mail, as mails have them.
      '--mail-ink',
      '--mail-on-accent',
      '--mail-soft',
      '--mantine-color-body',
      '--mantine-color-default-border',
    ];
    expect([...new Set(named)].filter((name) => !held.includes(name) && !others.includes(name))).toEqual([]);
  });
});
