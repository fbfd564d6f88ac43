// A text as a QR code: the library loads when the first one is needed.
import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';

/** Modules of light ground that scanners want around the code. */
const QUIET = 4;
const SIZE_PX = 176;

export interface QrCodeProps {
  text: string;
  /** Its text alternative. */
  label: string;
  /** Called where the code that draws it could not be loaded; nothing is shown then. */
  onFault: () => void;
}

interface Drawing {
  /** Modules along one side, the quiet ones not counted. */
  readonly side: number;
  readonly path: string;
}

async function draw(text: string): Promise<Drawing> {
  const { create } = await import('qrcode');
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  data.forEach((dark, index) => {
    if (dark) path += `M${(index % size) + QUIET} ${Math.floor(index / size) + QUIET}h1v1h-1z`;
  });
  return { side: size, path };
}

export function QrCode({ text, label, onFault }: QrCodeProps) {
  const [drawing, setDrawing] = useState<Drawing | null>(null);

  useEffect(() => {
    let left = false;
    draw(text)
      .then((drawn) => {
        if (!left) setDrawing(drawn);
      })
      .catch(() => {
        if (!left) onFault();
      });
    return () => {
      left = true;
    };
  }, [text, onFault]);

  if (drawing === null) return <Skeleton width={SIZE_PX} height={SIZE_PX} aria-hidden />;
  const side = drawing.side + 2 * QUIET;
  return (
    // Dark on light in both colour schemes: many scanners read it in no other way.
    <svg role="img" aria-label={label} width={SIZE_PX} height={SIZE_PX} viewBox={`0 0 ${side} ${side}`}>
      <rect width={side} height={side} rx={2} fill="#fff" />
      <path d={drawing.path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
