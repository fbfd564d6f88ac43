// The contrast of the theme's colours: text on every background that it may have (WCAG 1.4.3, 1.4.11).
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { describe, expect, it, vi } from 'vitest';
import { cssVariables, theme } from './theme.ts';

// It listens to the page, and there is none here.
vi.mock('./rescue-focus.ts', () => ({ rescueFocus: () => undefined }));

const TEXT_MIN = 4.5;
const CONTROL_MIN = 3;

/** Of `#rrggbb`, from 0 to 1, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const merged = mergeMantineTheme(DEFAULT_THEME, theme);
const variables = cssVariables(merged);

const GROUNDS = ['--mantine-color-body', '--house-ground', '--house-hover'];
const TEXTS = [
  '--mantine-color-text',
  '--mantine-color-dimmed',
  '--mantine-color-error',
  '--mantine-color-anchor',
  '--house-success',
  '--house-danger',
];

describe.each(['light', 'dark'] as const)('the colours of the %s theme', (scheme) => {
  const named: Readonly<Record<string, string | undefined>> = variables[scheme];
  const colour = (name: string) => {
    const value = named[name] ?? '';
    expect([name, value]).toEqual([name, expect.stringMatching(/^#[0-9a-f]{6}$/)]);
    return value;
  };

  it.each(TEXTS)('%s is read on every ground', (text) => {
    for (const ground of GROUNDS) {
      const [told, ratio] = [`${text} on ${ground}`, contrast(colour(text), colour(ground))];
      expect(ratio, told).toBeGreaterThanOrEqual(TEXT_MIN);
    }
  });

  it.each(['--mantine-color-text', '--house-chosen-text', '--mantine-color-dimmed', '--mantine-color-anchor'])(
    '%s is read on what is chosen',
    (text) => {
      expect(contrast(colour(text), colour('--house-chosen'))).toBeGreaterThanOrEqual(TEXT_MIN);
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

  it('the edge of a control is seen', () => {
    for (const ground of ['--mantine-color-body', '--house-ground']) {
      expect(contrast(colour('--house-control'), colour(ground)), ground).toBeGreaterThanOrEqual(CONTROL_MIN);
    }
  });
});
