// Larger, smaller and fitting, as buttons of the viewer's toolbar.
import { Button, Text } from '@mantine/core';
import { IconArrowAutofitWidth, IconMinus, IconPlus } from '@tabler/icons-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import classes from './viewer.module.css';
import { ZOOM_MAX, ZOOM_MIN, type ZoomControl } from './zoom.ts';

export function ZoomButtons({ control, fitLabel }: { control: ZoomControl; fitLabel: string }) {
  const { zoom, shown, known, zoomIn, zoomOut, fit } = control;
  return (
    <>
      <IconButton
        label="Zoom out"
        icon={<IconMinus size={16} aria-hidden />}
        onClick={zoomOut}
        disabled={shown <= ZOOM_MIN}
      />
      <Text size="sm" w="3.25rem" ta="center" aria-live="polite">
        {known ? `${Math.round(shown * 100)}%` : null}
      </Text>
      <IconButton
        label="Zoom in"
        icon={<IconPlus size={16} aria-hidden />}
        onClick={zoomIn}
        disabled={shown >= ZOOM_MAX}
      />
      <Button
        variant={zoom === 'fit' ? 'light' : 'subtle'}
        color="gray"
        size="compact-sm"
        aria-pressed={zoom === 'fit'}
        onClick={fit}
        aria-label={fitLabel}
      >
        <IconArrowAutofitWidth size={16} aria-hidden />
        <span className={classes.fitWord}>{fitLabel}</span>
      </Button>
    </>
  );
}
