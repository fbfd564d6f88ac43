// The firm's colour: whether it can be used, and the shades that pages and mails are drawn in, each with the contrast that WCAG asks for.
import { PRODUCT_SHADES, type Shades } from './shades.ts';

const WHITE = '#ffffff';
/** WCAG 1.4.3 for text, 1.4.11 for what is seen beside it. */
const TEXT_MIN = 4.5;
const SEEN_MIN = 3;

const COLOUR = /^#[0-9a-f]{6}$/;

/** Whether it is a colour as it is stored: `#2a58b5`. */
export const isColour = (text: string): boolean => COLOUR.test(text);

const partsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);

/** Of `#rrggbb`, from 0 to 1, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21, as WCAG defines it. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

interface Hue {
  /** In degrees. */
  readonly hue: number;
  /** From 0 to 1. */
  readonly saturation: number;
}

/** Hue and saturation as in HSL. */
export function hueOf(colour: string): Hue {
  const [red = 0, green = 0, blue = 0] = partsOf(colour);
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  if (range === 0) return { hue: 0, saturation: 0 };
  const saturation = range / (1 - Math.abs(2 * max - range - 1));
  const sixth =
    max === red ? (green - blue) / range : max === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: (sixth * 60 + 360) % 360, saturation };
}

function colourOf({ hue, saturation }: Hue, lightness: number): string {
  const range = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    const value = lightness - range * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** The lightest colour of the hue whose luminance is at most `most`. */
function noLighterThan(hue: Hue, most: number): string {
  let [low, high] = [0, 1];
  // A step finer than one of 255.
  for (let halved = 0; halved < 12; halved += 1) {
    const middle = (low + high) / 2;
    if (luminance(colourOf(hue, middle)) <= most) low = middle;
    else high = middle;
  }
  return colourOf(hue, low);
}

/** The luminance of what has a contrast of `ratio` to `lighter`. */
const below = (lighter: string, ratio: number) => (luminance(lighter) + 0.05) / ratio - 0.05;

/** Dark enough for white text on it, and to be text on white. */
const legible = (colour: string) =>
  contrast(colour, WHITE) >= TEXT_MIN ? colour : noLighterThan(hueOf(colour), below(WHITE, TEXT_MIN));

/**
 * Why a colour cannot be that of the firm, in a sentence that names a near one that can; null where it can. A colour that is a little too light
 * for text is darkened, and all are lightened for the dark scheme; what cannot be seen on white at all would become another colour.
 */
export function accentFault(colour: string): string | null {
  if (contrast(colour, WHITE) >= SEEN_MIN) return null;
  return `This color is too light to be seen on a white page. ${legible(colour)} would do.`;
}

/** Tints are paler than the colour itself, or they would glare. */
const PALE_MAX = 0.55;

/**
 * The shades of a colour: of its hue, and as light as those of the product, so that each has the same contrast with every ground and text. A filled
 * button in the light scheme is the colour itself, darkened as far as white text on it needs.
 */
export function shadesOf(colour: string): Shades {
  const hue = hueOf(colour);
  const pale = { ...hue, saturation: Math.min(hue.saturation, PALE_MAX) };
  const as = (shade: string) => noLighterThan(pale, luminance(shade));
  const [s0, s1, s2, s3, s4, s5, s6, , s8, s9] = PRODUCT_SHADES.ten;
  const filled = legible(colour);
  const deeper = (shade: string, part: number) =>
    noLighterThan(hue, Math.min(luminance(shade), luminance(filled) * part));
  const { light, dark } = PRODUCT_SHADES;
  const chosen = as(light.chosen);
  return {
    ten: [as(s0), as(s1), as(s2), as(s3), as(s4), as(s5), as(s6), filled, deeper(s8, 0.7), deeper(s9, 0.45)],
    light: {
      anchor: contrast(colour, chosen) >= TEXT_MIN ? colour : noLighterThan(hue, below(chosen, TEXT_MIN)),
      chosen,
      chosenText: as(light.chosenText),
      chosenLine: as(light.chosenLine),
    },
    dark: {
      anchor: as(dark.anchor),
      chosen: as(dark.chosen),
      chosenText: as(dark.chosenText),
      chosenLine: as(dark.chosenLine),
    },
  };
}
