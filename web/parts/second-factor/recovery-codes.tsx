// The recovery codes, shown only now: to be copied, saved or printed before continuing.

import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { saveBlob } from '#web/lib/file-access.ts';
import { done, failed } from '#web/lib/messages.ts';
import { firmFace } from '#web/lib/product.ts';
import { BELOW_TOASTS, toast } from '#web/ui/toast.tsx';
import { codesFileName } from './codes-file-name.ts';
import classes from './recovery-codes.module.css';

export interface RecoveryCodesProps {
  codes: readonly string[];
  username: string;
  /** The label of the button that continues. */
  goOnLabel: string;
  onKept: () => void;
}

export function RecoveryCodes({ codes, username, goOnLabel, onKept }: RecoveryCodesProps) {
  const [kept, setKept] = useState(false);
  const { name } = firmFace();
  const title = `${name} recovery codes of ${username}`;
  const words = useRef<HTMLParagraphElement>(null);

  // They take the place of the field whose code was right, and the focus with it.
  useEffect(() => words.current?.focus(), []);
  // A page that is closed by accident takes the only copy with it; so does Back, which leads nowhere before.
  useBlocker({ shouldBlockFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE', disabled: kept });

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toast.success(done.codesCopied);
    } catch {
      toast.error(failed.copyCodes);
    }
  };
  const save = () => {
    const text = [title, 'Each code signs you in once.', '', ...codes, ''].join('\r\n');
    saveBlob(new Blob([text], { type: 'text/plain' }), codesFileName(name));
  };

  return (
    <Stack gap="md">
      <Text ref={words} tabIndex={-1} style={{ outline: 'none' }}>
        Keep these recovery codes where only you find them. Each signs you in once when you have lost your phone or
        passkey. They are not shown again.
      </Text>
      <div className={classes.sheet}>
        <p className={classes.heading}>{title}</p>
        <ol className={classes.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCopy size={15} aria-hidden />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <Button variant="default" size="xs" leftSection={<IconDownload size={15} aria-hidden />} onClick={save}>
          Download
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPrinter size={15} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </Group>
      <Checkbox
        label="I have kept these codes"
        checked={kept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Button disabled={!kept} onClick={onKept} fullWidth {...{ [BELOW_TOASTS]: '' }}>
        {goOnLabel}
      </Button>
    </Stack>
  );
}
