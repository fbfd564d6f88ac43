// How high the rows of the list of documents are: as high as what stands in them, which the widths of its letters tell before it is drawn.
import { useLayoutEffect, useRef, useState } from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import { recallWords } from './batch-messages.ts';
import { type GroupKey, isThereAlready } from './document-groups.ts';
import { clientWords, reasonWords } from './document-words.ts';

/** Why it was recalled, until it is released again, and why a person has to look at it; empty where its row says neither. */
export function doubtWords({ recall, restored, reasons }: DocumentRow, group: GroupKey): string {
  const doubts = group === 'toCheck' ? reasons.map(reasonWords) : [];
  const why = recall === null ? [] : [recall.reason];
  return [...(restored ? [recallWords.restored] : []), ...why, ...doubts].join(' · ');
}

/** What the chip beside its client says; null where it has none. */
export function chipWords(document: DocumentRow, group: GroupKey): string | null {
  if (document.fault !== null) return 'Not released';
  return isThereAlready(document) && group !== 'alreadyThere' ? 'Already there' : null;
}

/** Around the words of a chip, and between it and the client, in px. */
const CHIP_ROOM = 28;

export type RowHeight = (document: DocumentRow, group: GroupKey) => number;

/** As high as any row may be, before anything is known of the letters. */
const unmeasured: RowHeight = () => 124;

function lineOf(node: Element | null) {
  const { fontWeight, fontSize, fontFamily, lineHeight } = getComputedStyle(node ?? document.body);
  return { font: `${fontWeight} ${fontSize} ${fontFamily}`, height: Number.parseFloat(lineHeight) };
}

/** From a row without words, whose lines are those of the others. */
function readRuler(row: HTMLElement): RowHeight {
  const { paddingTop, paddingBottom, paddingLeft, paddingRight } = getComputedStyle(row);
  const room = row.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  const padding = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
  const client = lineOf(row.querySelector('[data-line="client"]'));
  const small = lineOf(row.querySelector('[data-line="small"]'));
  const canvas = document.createElement('canvas').getContext('2d');
  if (canvas === null || room <= 0) return unmeasured;
  const widths = new Map<string, number>();
  const widthOf = (text: string, font: string) => {
    const key = `${font} ${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    canvas.font = font;
    const { width } = canvas.measureText(text);
    widths.set(key, width);
    return width;
  };
  // Both are cut after their second line.
  const linesOf = (text: string, font: string, within: number) => (widthOf(text, font) < within ? 1 : 2);
  return (document, group) => {
    const doubt = doubtWords(document, group);
    const chip = chipWords(document, group);
    const beside = chip === null ? 0 : widthOf(chip, small.font) + CHIP_ROOM;
    const clientLines = linesOf(clientWords(document), client.font, room - beside);
    // Below the client its type and where it is from, and then the doubt.
    const smallLines = 2 + (doubt === '' ? 0 : linesOf(doubt, small.font, room));
    return Math.ceil(padding + clientLines * client.height + smallLines * small.height);
  };
}

/** How high each row is in a list of this width; `ruler` goes to a row without words. */
export function useRowHeights(listWidth: number) {
  const ruler = useRef<HTMLDivElement>(null);
  const [heightOf, setHeightOf] = useState<RowHeight>(() => unmeasured);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is as wide as the list
  useLayoutEffect(() => {
    const row = ruler.current;
    if (row !== null) setHeightOf(() => readRuler(row));
  }, [listWidth]);
  return { ruler, heightOf };
}
