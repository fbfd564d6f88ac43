// Files that come from outside, dragged over the window or pasted; prevents the browser from opening them.
import { useEffect, useRef, useState } from 'react';
import { takesText } from './takes-text.ts';

export interface DraggedFilesOptions {
  /** Files are over the window: time to load their receiver. */
  onEnter: () => void;
  /** Called with what was pasted, or dropped where nothing else took it; a folder comes as a single file. */
  onDropElsewhere: (files: File[]) => void;
  /** False turns files away: another dialog has the floor. */
  accepts: () => boolean;
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Cells that are copied from a spreadsheet are a picture too: in a field their text is meant. */
const isText = ({ target, clipboardData }: ClipboardEvent): boolean =>
  takesText(target) && clipboardData?.types.includes('text/plain') === true;

/** How many receivers are on the page. */
let receivers = 0;

/** Where nothing on the page takes files, one that is dropped would have the browser leave it, and what is typed there with it. */
export function keepPageFromDrops(): void {
  const refuse = (event: DragEvent) => {
    if (receivers > 0 || !carriesFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
}

export function useDraggedFiles(options: DraggedFilesOptions): boolean {
  const [dragged, setDragged] = useState(false);
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      // Says that a drop is handled here; without it the browser leaves the page for the file.
      event.preventDefault();
      if (!latest.current.accepts()) return;
      if (event.type === 'dragenter') latest.current.onEnter();
      setDragged(true);
    };
    const leave = (event: DragEvent) => {
      // Moving between two elements of the page enters another one; leaving the window does not.
      if (event.relatedTarget === null) setDragged(false);
    };
    const drop = (event: DragEvent) => {
      setDragged(false);
      if (!carriesFiles(event)) return;
      const taken = event.defaultPrevented;
      event.preventDefault();
      if (!taken && latest.current.accepts()) latest.current.onDropElsewhere([...(event.dataTransfer?.files ?? [])]);
    };

    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isText(event) || !latest.current.accepts()) return;
      event.preventDefault();
      latest.current.onEnter();
      latest.current.onDropElsewhere(files);
    };

    receivers += 1;
    window.addEventListener('paste', paste);
    window.addEventListener('dragenter', over);
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      receivers -= 1;
      window.removeEventListener('paste', paste);
      window.removeEventListener('dragenter', over);
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return dragged;
}
