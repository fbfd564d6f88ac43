// The header's button that opens the command palette.

import { Button, Kbd } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { modifierLabel } from '#web/lib/modifier.ts';
import { openSheet } from '../shortcuts/command-sheet.ts';
import { preloadPalette } from './load-sheets.ts';
import classes from './palette-button.module.css';

export function PaletteButton() {
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.button ?? ''}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        <Kbd size="xs" aria-hidden>
          {modifierLabel} K
        </Kbd>
      }
      onClick={() => openSheet('palette')}
      onPointerEnter={preloadPalette}
      onFocus={preloadPalette}
    >
      Search
    </Button>
  );
}
