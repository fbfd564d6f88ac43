// An image: fitted into the pane, larger with a click.
import { type ReactNode, useEffect, useState } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';
import { Stage } from './stage.tsx';
import { usePaneSize } from './use-pane-size.ts';
import classes from './viewer.module.css';
import { useZoom } from './zoom.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

/** Free room around the image, in px. */
const MARGIN = 32;

interface Loaded {
  readonly url: string;
  /** In px. */
  readonly width: number;
  readonly height: number;
}

/** The image with its size, undefined while it loads, 'broken' where the browser cannot read it. */
function useImage(blob: Blob): Loaded | 'broken' | undefined {
  const [loaded, setLoaded] = useState<Loaded | 'broken'>();
  useEffect(() => {
    const url = URL.createObjectURL(blob);
    const image = new Image();
    image.onload = () => {
      const { naturalWidth: width, naturalHeight: height } = image;
      setLoaded(width > 0 && height > 0 ? { url, width, height } : 'broken');
    };
    image.onerror = () => setLoaded('broken');
    image.src = url;
    return () => {
      image.onload = null;
      image.onerror = null;
      URL.revokeObjectURL(url);
    };
  }, [blob]);
  return loaded;
}

export interface ImageViewProps {
  blob: Blob;
  name: string;
  /** Shown where the browser cannot read the image. */
  unreadable: ReactNode;
  /** What lies over the image, in parts of its size. */
  over?: (size: Pick<Loaded, 'width' | 'height'>) => ReactNode;
}

export function ImageView({ blob, name, unreadable, over }: ImageViewProps) {
  const image = useImage(blob);
  const pane = usePaneSize();
  const size = image === 'broken' ? undefined : image;
  const measured = size !== undefined && pane.width > 0;
  // A small image is not blown up to fit.
  const fitting = measured
    ? Math.min(1, (pane.width - MARGIN) / size.width, (pane.height - MARGIN) / size.height)
    : undefined;
  const control = useZoom(fitting);
  const { zoom, shown } = control;

  if (image === 'broken') return unreadable;
  return (
    <Stage label={`Image ${name}`} paneRef={pane.ref} toolbar={<ZoomButtons control={control} fitLabel="Fit" />}>
      {measured && fitting !== undefined ? (
        <div className={classes.image}>
          <button
            type="button"
            className={classes.imageButton}
            aria-pressed={zoom !== 'fit'}
            onClick={() => control.setZoom(zoom === 'fit' ? (fitting < 1 ? 1 : 2) : 'fit')}
          >
            <img src={size.url} alt={name} style={{ width: size.width * shown, height: size.height * shown }} />
            {over?.(size)}
          </button>
        </div>
      ) : (
        <Spinner label="Loading file..." />
      )}
    </Stage>
  );
}
