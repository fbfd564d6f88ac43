// Tesseract reads a page that lies on its side, and leaves its words lying there.
import type { Word } from './ocr-thread.ts';

interface Sheet {
  readonly words: readonly Word[];
  readonly width: number;
  readonly height: number;
}

/** The sheet with its words upright, and by how many quarters it was turned to the right for that. */
export function stoodUp(sheet: Sheet): Sheet & { readonly quarters: number } {
  const { words, width, height } = sheet;
  if (!isLying(words)) return { ...sheet, quarters: 0 };
  const quarters = readsDown(words) ? 3 : 1;
  const turn = (word: Word): Word => ({
    ...word,
    x: quarters === 1 ? height - word.y - word.height : word.y,
    y: quarters === 1 ? word.x : width - word.x - word.width,
    width: word.height,
    height: word.width,
  });
  return { words: words.map(turn), width: height, height: width, quarters };
}

/** Words of a few letters are longer than they are high. */
function isLying(words: readonly Word[]): boolean {
  const long = words.filter(({ text }) => text.length > 3);
  return long.filter(({ width, height }) => height > width).length > long.length / 2;
}

/** Whether most words that follow another of the same line stand below it. */
function readsDown(words: readonly Word[]): boolean {
  let down = 0;
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    if (before === undefined || Math.abs(word.x - before.x) > before.width) continue;
    down += Math.sign(word.y - before.y);
  }
  return down > 0;
}
