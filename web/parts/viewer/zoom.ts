// How large a page or an image is shown.
import { useState } from 'react';
import { useFreeKeys } from './keys.ts';

/** 1 is the true size; 'fit' follows the room there is. */
export type Zoom = number | 'fit';

const STEPS: readonly number[] = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
export const ZOOM_MIN = 0.25;
export const ZOOM_MAX = 4;

/** The next step beyond `shown`; a difference below a hundredth does not count as a step. */
function stepFrom(shown: number, direction: 'in' | 'out'): number {
  if (direction === 'in') return STEPS.find((step) => step > shown + 0.01) ?? ZOOM_MAX;
  return STEPS.findLast((step) => step < shown - 0.01) ?? ZOOM_MIN;
}

export interface ZoomControl {
  zoom: Zoom;
  /** The zoom in force, where `zoom` says 'fit' too. */
  shown: number;
  /** False until it is known what 'fit' amounts to. */
  known: boolean;
  zoomIn: () => void;
  zoomOut: () => void;
  fit: () => void;
  setZoom: (zoom: Zoom) => void;
}

/** The zoom and its keys: + and - for larger and smaller, 0 to fit. `fitting` is the zoom that 'fit' amounts to. */
export function useZoom(fitting: number | undefined): ZoomControl {
  const [zoom, setZoom] = useState<Zoom>('fit');
  const shown = zoom === 'fit' ? (fitting ?? 1) : zoom;
  const control: ZoomControl = {
    zoom,
    shown,
    known: zoom !== 'fit' || fitting !== undefined,
    zoomIn: () => setZoom(stepFrom(shown, 'in')),
    zoomOut: () => setZoom(stepFrom(shown, 'out')),
    fit: () => setZoom('fit'),
    setZoom,
  };
  useFreeKeys(({ key }) => {
    if (key === '+' || key === '=') control.zoomIn();
    else if (key === '-') control.zoomOut();
    else if (key === '0') control.fit();
    else return false;
    return true;
  });
  return control;
}
