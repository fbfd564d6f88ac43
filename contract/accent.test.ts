// The firm's colour over the whole circle: what is drawn in it can be read and seen in both schemes, and what is refused comes with a near colour that can.
import { describe, expect, it } from 'vitest';
import { accentFault, contrast, hueOf, isColour, shadesOf } from './accent.ts';
import { MAIL_COLOURS, mailAccent } from './mail-colours.ts';
import { PRODUCT_SHADES } from './shades.ts';

const hex = (part: number) =>
  Math.round(part * 255)
    .toString(16)
    .padStart(2, '0');

/** A colour by hue in degrees, saturation and lightness, written apart from what is tested. */
function colour(hue: number, saturation: number, lightness: number): string {
  const chroma = (1 - Math.abs(2 * lightness - 1)) * saturation;
  const second = chroma * (1 - Math.abs(((hue / 60) % 2) - 1));
  const base = lightness - chroma / 2;
  const sixths = [
    [chroma, second, 0],
    [second, chroma, 0],
    [0, chroma, second],
    [0, second, chroma],
    [second, 0, chroma],
    [chroma, 0, second],
  ];
  return `#${(sixths[Math.floor(hue / 60)] ?? []).map((part) => hex(part + base)).join('')}`;
}

const HUES = Array.from({ length: 24 }, (_, nth) => nth * 15);
const CIRCLE = HUES.flatMap((hue) =>
  [0, 0.2, 0.6, 1].flatMap((saturation) =>
    [0, 0.08, 0.25, 0.45, 0.6, 0.8, 1].map((light) => colour(hue, saturation, light)),
  ),
);
const USABLE = [...new Set(CIRCLE)].filter((each) => accentFault(each) === null);
const REFUSED = [...new Set(CIRCLE)].filter((each) => accentFault(each) !== null);

/** The grounds of the theme (web/ui/theme.ts). */
const LIGHT_GROUNDS = ['#ffffff', '#f7f8fa', '#f4f6f9'];
const DARK_GROUNDS = ['#161b22', '#10141a', '#1b212a'];

const differs = (one: string, other: string) => {
  const apart = Math.abs(hueOf(one).hue - hueOf(other).hue);
  return Math.min(apart, 360 - apart);
};

describe('the shades of a colour', () => {
  it('can be read and seen in both schemes, whatever the colour', () => {
    expect(USABLE.length).toBeGreaterThan(200);
    for (const each of USABLE) {
      const { ten, light, dark } = shadesOf(each);
      const [filledLight, hoverLight, filledDark] = [ten[7], ten[8], ten[6]];
      for (const shade of [...ten, ...Object.values(light), ...Object.values(dark)]) expect(isColour(shade)).toBe(true);
      const text: [string, string, string][] = [
        ['white on a button', '#ffffff', filledLight],
        ['white on a hovered button', '#ffffff', hoverLight],
        ['white on a button in the dark', '#ffffff', filledDark],
        ['white on a hovered button in the dark', '#ffffff', filledLight],
        ...[...LIGHT_GROUNDS, light.chosen].map((ground): [string, string, string] => ['a link', light.anchor, ground]),
        ...[...DARK_GROUNDS, dark.chosen].map((ground): [string, string, string] => ['a link', dark.anchor, ground]),
        ['what is chosen', light.chosenText, light.chosen],
        ['what is chosen in the dark', dark.chosenText, dark.chosen],
      ];
      for (const [what, one, other] of text) {
        expect(contrast(one, other), `${each}: ${what}, ${one} on ${other}`).toBeGreaterThanOrEqual(4.5);
      }
      const seen: [string, string][] = [
        ...LIGHT_GROUNDS.map((ground): [string, string] => [filledLight, ground]),
        ...DARK_GROUNDS.flatMap((ground): [string, string][] => [
          [filledDark, ground],
          [ten[4], ground],
        ]),
      ];
      for (const [one, other] of seen) {
        expect(contrast(one, other), `${each}: ${one} beside ${other}`).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it('can be read in mails, on light and on dark screens, whatever the colour', () => {
    for (const shades of [PRODUCT_SHADES, ...USABLE.map(shadesOf)]) {
      const accent = mailAccent(shades);
      for (const scheme of ['light', 'dark'] as const) {
        const { ground, sheet, ink, soft, onButton } = MAIL_COLOURS[scheme];
        const { button, link } = accent[scheme];
        const text: [string, string, string][] = [
          ['on a button', onButton, button],
          ...[ground, sheet].flatMap((below): [string, string, string][] => [
            ['a link', link, below],
            ['what it says', ink, below],
            ['what is said beside it', soft, below],
          ]),
        ];
        for (const [what, one, other] of text) {
          expect(contrast(one, other), `${scheme}: ${what}, ${one} on ${other}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  it('keep its hue', () => {
    for (const each of USABLE.filter((one) => hueOf(one).saturation > 0.3)) {
      const { ten, light, dark } = shadesOf(each);
      // So few steps of 255 are left at the ends of the scale that a hue is rounded there.
      for (const shade of [ten[6], ten[7], light.anchor, dark.anchor].filter((one) => contrast(one, '#000000') > 2)) {
        expect(differs(each, shade), `${each} as ${shade}`).toBeLessThanOrEqual(6);
      }
    }
  });

  it('have the colour itself where white can be read on it', () => {
    for (const each of ['#2a58b5', '#0b3d2e', '#7a1f2b', '#1a1a1a', '#5b2a86'])
      expect(shadesOf(each).ten[7]).toBe(each);
    expect(shadesOf('#e8452c').ten[7]).not.toBe('#e8452c');
  });

  it('of the product’s own colour are near the product’s', () => {
    expect(shadesOf('#2a58b5').light.anchor).toBe(PRODUCT_SHADES.light.anchor);
  });
});

describe('a colour that is refused', () => {
  it('is one that cannot be seen on white, and comes with one of its hue that will do', () => {
    expect(REFUSED.length).toBeGreaterThan(50);
    for (const each of REFUSED) {
      expect(contrast(each, '#ffffff')).toBeLessThan(3);
      const named = /(#[0-9a-f]{6}) would do\.$/.exec(accentFault(each) ?? '')?.[1] ?? '';
      expect([each, accentFault(named)]).toEqual([each, null]);
      if (hueOf(each).saturation > 0.3) expect(differs(each, named), `${each} as ${named}`).toBeLessThanOrEqual(6);
    }
    expect(accentFault('#ffe600')).toMatch(
      /^This color is too light to be seen on a white page\. #[0-9a-f]{6} would do\.$/,
    );
  });
});
