// What a firm shows of itself, in numbers that forms need before any schema is loaded.

/** How a logo is sent: a PNG no larger than this, in pixels and bytes. */
export const LOGO_MAX = { width: 512, height: 128, bytes: 256 * 1024 } as const;

export const FIRM_NAME_MAX = 60;
export const FIRM_ADDRESS_MAX = { characters: 200, lines: 4 } as const;
export const WELCOME_MAX = { characters: 500, lines: 12 } as const;
