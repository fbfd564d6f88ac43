// The documents of a batch as one list in groups: the heights of rows are known beforehand and only those in sight are drawn, so that thousands stay quick.
import { Badge } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useCallback,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import { formatCount } from '#web/lib/format.ts';
import { LEAVES_KEYS } from '#web/parts/viewer/keys.ts';
import { usePaneSize } from '#web/parts/viewer/use-pane-size.ts';
import { type DocumentGroup, type GroupKey, groupNames, mayChange } from './document-groups.ts';
import { clientWords, pageWords, typeWords } from './document-words.ts';
import classes from './review.module.css';
import { chipWords, doubtWords, type RowHeight, useRowHeights } from './row-heights.ts';
import type { Ticked } from './use-ticked.ts';

/** In px, as in `review.module.css`. */
const HEAD_HEIGHT = 34;
/** Drawn beyond what is in sight, on either side. */
const SPARE_PX = 540;

interface PlacedGroup {
  readonly group: DocumentGroup;
  readonly top: number;
  /** Where each row begins within the group, and after the last one where they end. */
  readonly rowTops: readonly number[];
  /** How many documents are before it. */
  readonly before: number;
}

function place(groups: readonly DocumentGroup[], heightOf: RowHeight) {
  const placed: PlacedGroup[] = [];
  let top = 0;
  let before = 0;
  for (const group of groups) {
    let end = HEAD_HEIGHT;
    const rowTops = [end];
    for (const document of group.documents) {
      end += heightOf(document, group.key);
      rowTops.push(end);
    }
    placed.push({ group, top, rowTops, before });
    top += end;
    before += group.documents.length;
  }
  return { placed, height: top, count: before };
}

/** How many of them begin before `y`. */
function countBefore(rowTops: readonly number[], y: number): number {
  let [low, high] = [0, rowTops.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rowTops[middle] ?? 0) < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface ListInPane {
  placed: readonly PlacedGroup[];
  selectedId: number | null;
  heightOf: RowHeight;
  paneHeight: number;
}

/** Scrolls the list so that the selected row is in sight. */
function useSelectedInSight(box: RefObject<HTMLElement | null>, list: ListInPane) {
  const { placed, selectedId, heightOf, paneHeight } = list;
  /** Where its row begins, and how high that is. */
  const topOf = useCallback(
    (id: number) => {
      for (const { group, top, rowTops } of placed) {
        const at = group.documents.findIndex((document) => document.id === id);
        const [begin, end] = rowTops.slice(at, at + 2);
        if (at >= 0 && begin !== undefined && end !== undefined) return { top: top + begin, row: end - begin };
      }
      return null;
    },
    [placed],
  );

  const latestTop = useRef(topOf);
  latestTop.current = topOf;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights put it at another place
  useLayoutEffect(() => {
    const node = box.current;
    const place = selectedId === null ? null : latestTop.current(selectedId);
    if (node === null || place === null || paneHeight === 0) return;
    const { top, row } = place;
    // With the head of its group, where it is the first.
    if (top - HEAD_HEIGHT < node.scrollTop) node.scrollTop = top - HEAD_HEIGHT;
    else if (top + row > node.scrollTop + node.clientHeight) node.scrollTop = top + row - node.clientHeight;
  }, [selectedId, paneHeight, heightOf]);
}

export interface DocumentListHandle {
  focus: () => void;
}

export interface DocumentListProps {
  groups: readonly DocumentGroup[];
  selectedId: number | null;
  onSelect: (id: number) => void;
  ticked: Ticked;
  /** True where the list has used the key. */
  onKey: (event: KeyboardEvent) => boolean;
  handle: Ref<DocumentListHandle>;
}

export function DocumentList({ groups, selectedId, onSelect, ticked, onKey, handle }: DocumentListProps) {
  const box = useRef<HTMLElement>(null);
  const pane = usePaneSize();
  const ref = useMergedRef(box, pane.ref);
  const [scrolled, setScrolled] = useState(0);
  const { ruler, heightOf } = useRowHeights(pane.width);
  const { placed, height, count } = useMemo(() => place(groups, heightOf), [groups, heightOf]);
  const idPrefix = useId();
  useImperativeHandle(handle, () => ({ focus: () => box.current?.focus() }), []);

  useSelectedInSight(box, { placed, selectedId, heightOf, paneHeight: pane.height });

  const from = scrolled - SPARE_PX;
  const to = scrolled + pane.height + SPARE_PX;
  return (
    <div
      ref={ref as Ref<HTMLDivElement>}
      role="listbox"
      aria-label="Documents"
      // Several are ticked; one is in view.
      aria-multiselectable
      aria-activedescendant={selectedId === null ? undefined : `${idPrefix}-${selectedId}`}
      tabIndex={0}
      className={classes.list}
      {...{ [LEAVES_KEYS]: true }}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      onKeyDown={(event) => {
        if (onKey(event)) event.preventDefault();
      }}
    >
      <div ref={ruler} aria-hidden className={`${classes.row} ${classes.ruler}`}>
        <span className={classes.client} data-line="client" />
        <span className={classes.type} data-line="small" />
      </div>
      <div role="presentation" className={classes.rows} style={{ height }}>
        {placed.map(({ group, top, rowTops, before }) => {
          const { key, documents } = group;
          const begin = Math.max(0, countBefore(rowTops, from - top) - 1);
          const end = Math.min(documents.length, countBefore(rowTops, to - top));
          const drawn = documents
            .slice(begin, Math.max(begin, end))
            .map((document, nth) => ({ document, at: begin + nth }));
          const selectedAt = documents.findIndex(({ id }) => id === selectedId);
          const selected = documents[selectedAt];
          // The list says which of its rows is the active one: that has to be there, wherever it is scrolled to.
          if (selected !== undefined && (selectedAt < begin || selectedAt >= end))
            drawn.push({ document: selected, at: selectedAt });
          if (drawn.length === 0 && (top + (rowTops.at(-1) ?? 0) < from || top > to)) return null;
          const name = `${groupNames[key]}, ${formatCount(documents.length)}`;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, and no set of fields
            <div key={key} role="group" aria-label={name} className={classes.group} style={{ top }}>
              <div className={classes.groupHead} aria-hidden>
                <span>{groupNames[key]}</span>
                <span>{formatCount(documents.length)}</span>
              </div>
              {drawn.map(({ document, at }) => (
                <DocumentOption
                  key={document.id}
                  id={`${idPrefix}-${document.id}`}
                  document={document}
                  group={key}
                  top={rowTops[at] ?? 0}
                  height={(rowTops[at + 1] ?? 0) - (rowTops[at] ?? 0)}
                  selected={document.id === selectedId}
                  nth={before + at + 1}
                  count={count}
                  ticked={mayChange(document) ? ticked.has(document.id) : null}
                  onSelect={() => onSelect(document.id)}
                  onTick={(isRange) => {
                    if (isRange) ticked.toggleTo(document.id, selectedId);
                    else ticked.toggle(document.id);
                  }}
                />
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface DocumentOptionProps {
  id: string;
  document: DocumentRow;
  group: GroupKey;
  top: number;
  height: number;
  selected: boolean;
  nth: number;
  count: number;
  /** Null where nothing can be changed any more. */
  ticked: boolean | null;
  onSelect: () => void;
  /** With Shift all from the last one that was ticked. */
  onTick: (isRange: boolean) => void;
}

function DocumentOption(props: DocumentOptionProps) {
  const { id, document, group, top, height, selected, nth, count, ticked, onSelect, onTick } = props;
  const { clientName, closed, name } = document;
  const doubt = doubtWords(document, group);
  const chip = chipWords(document, group);
  const pages = pageWords(document);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself has the focus and takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: it is the active descendant of the list
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-checked={ticked ?? undefined}
      aria-setsize={count}
      aria-posinset={nth}
      className={classes.row}
      style={{ top, height }}
      onClick={({ shiftKey, ctrlKey, metaKey }) => {
        if (ticked !== null && (shiftKey || ctrlKey || metaKey)) onTick(shiftKey);
        else onSelect();
      }}
    >
      {ticked === null ? null : (
        // The option says whether it is ticked, and the list takes Space.
        <span
          className={classes.tick}
          data-tick
          aria-hidden
          onClick={(event) => {
            event.stopPropagation();
            onTick(event.shiftKey);
          }}
        >
          <span className={classes.box} data-ticked={ticked || undefined}>
            {ticked ? <IconCheck size={14} stroke={3} /> : null}
          </span>
        </span>
      )}
      <div className={classes.rowHead}>
        <span
          className={classes.client}
          data-none={(clientName === null && !closed) || undefined}
          title={clientName ?? undefined}
        >
          {clientWords(document)}
        </span>
        {chip === null ? null : (
          <Badge size="sm" miw="max-content">
            {chip}
          </Badge>
        )}
      </div>
      <span className={classes.type}>{typeWords(document)}</span>
      <span className={classes.origin} title={name}>
        {pages === '' ? name : `${pages} · ${name}`}
      </span>
      {doubt === '' ? null : (
        <span className={classes.doubt} title={doubt}>
          {doubt}
        </span>
      )}
    </div>
  );
}
