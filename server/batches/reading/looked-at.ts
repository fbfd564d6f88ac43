// Places on a page that was turned to be read.
import type { Mark } from '#contract/batches.ts';
import type { PageText } from './page-text.ts';

/** Where words stand on the page as it is looked at, found on the page as it was read: `width` by `height`, turned by `degrees`. */
export function asLookedAt(mark: Mark, { width, height }: Pick<PageText, 'width' | 'height'>, degrees: number): Mark {
  const { page } = mark;
  switch (degrees) {
    case 90:
      return { page, x: mark.y, y: width - mark.x - mark.width, width: mark.height, height: mark.width };
    case 180:
      return { ...mark, x: width - mark.x - mark.width, y: height - mark.y - mark.height };
    case 270:
      return { page, x: height - mark.y - mark.height, y: mark.x, width: mark.height, height: mark.width };
    default:
      return mark;
  }
}
