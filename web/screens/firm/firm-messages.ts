// What the page of the firm says.
export const firmDone = { saved: 'What your firm shows was saved' } as const;

export const firmFailed = {
  save: (reason: string) => `Failed to save: ${reason}`,
  logo: 'This picture could not be read. Please choose a PNG, JPEG, WebP or SVG.',
  logoShowsNothing: 'There is nothing to be seen in this picture. Please choose another one.',
  logoTooLarge: 'This picture is too large even when made smaller. Please choose a simpler one.',
} as const;
