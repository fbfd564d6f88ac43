// The shades of an accent, and those of the product: apart from how they are made, which the sign-in page need not load.

/** Ten shades from light to dark; of those, 7 is a filled button in the light scheme and 6 one in the dark scheme. */
type TenShades = readonly [string, string, string, string, string, string, string, string, string, string];

/** What is coloured by the accent besides filled buttons, in one scheme. */
interface SchemeShades {
  /** Links, and all other text in the accent. */
  readonly anchor: string;
  /** The ground of what is chosen, the text on it, and a line around it. */
  readonly chosen: string;
  readonly chosenText: string;
  readonly chosenLine: string;
}

/** Every shade of an accent, each as `#rrggbb`. */
export interface Shades {
  readonly ten: TenShades;
  readonly light: SchemeShades;
  readonly dark: SchemeShades;
}

/** Of the product itself, where the firm has chosen no colour. */
export const PRODUCT_SHADES: Shades = {
  ten: ['#eef3fd', '#dce6f9', '#b9ccf1', '#94b1ea', '#7c9fe6', '#5c86db', '#3f6dcb', '#2a58b5', '#214997', '#1a3b7b'],
  light: { anchor: '#2a58b5', chosen: '#e9effb', chosenText: '#214997', chosenLine: '#b9ccf1' },
  dark: { anchor: '#94b1ea', chosen: '#1f2d49', chosenText: '#b9ccf1', chosenLine: '#3a4f7c' },
};
