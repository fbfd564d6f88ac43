// A plain text as it was written.
import { useEffect, useState } from 'react';
import { decodeText } from '#contract/text-encoding.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { Stage } from './stage.tsx';
import classes from './viewer.module.css';

/** More than this is not laid out in one go without the page growing slow. */
const SHOWN_BYTES = 512 * 1024;

export function TextView({ blob, name }: { blob: Blob; name: string }) {
  const [text, setText] = useState<string>();
  const cut = blob.size > SHOWN_BYTES;

  useEffect(() => {
    let wanted = true;
    void blob
      .slice(0, SHOWN_BYTES)
      .arrayBuffer()
      .then((read) => {
        if (wanted) setText(decodeText(new Uint8Array(read), { cut }));
      });
    return () => {
      wanted = false;
    };
  }, [blob, cut]);

  if (text === undefined) return <Spinner label="Loading file..." />;
  return (
    <Stage
      label={`Text of ${name}`}
      note={cut ? 'Only the first 512 KB are shown. Download the file to read all of it.' : undefined}
    >
      {text === '' ? <p className={classes.empty}>This file is empty.</p> : <pre className={classes.text}>{text}</pre>}
    </Stage>
  );
}
