// A chosen picture as the logo that is sent: drawn anew as a PNG of a size that the server takes.
import { LOGO_MAX } from '#contract/firm-face.ts';
import type { ShownLogo } from '#web/lib/product.ts';
import { firmFailed } from './firm-messages.ts';

export interface DrawnLogo extends ShownLogo {
  readonly base64: string;
}

/** Each time a picture is too many bytes, it is drawn again at this part of its size. */
const SMALLER = 0.75;
const TRIES = 6;

async function load(file: Blob): Promise<HTMLImageElement> {
  const src = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = src;
    await image.decode();
    if (image.naturalWidth === 0 || image.naturalHeight === 0) throw new Error('A picture without a size');
    return image;
  } finally {
    URL.revokeObjectURL(src);
  }
}

function dataAddressOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Null where nothing can be drawn. */
function draw(image: HTMLImageElement, width: number, height: number): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  return context;
}

/** Whether every point is transparent: of four bytes the last one says it. */
function showsNothing(context: CanvasRenderingContext2D): boolean {
  const { width, height } = context.canvas;
  return context.getImageData(0, 0, width, height).data.every((byte, at) => at % 4 !== 3 || byte === 0);
}

function pngOf({ canvas }: CanvasRenderingContext2D): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Rejects with an Error whose message a person reads. */
export async function drawLogo(file: File): Promise<DrawnLogo> {
  let fault: string = firmFailed.logo;
  try {
    const image = await load(file);
    const { naturalWidth, naturalHeight } = image;
    const fits = Math.min(LOGO_MAX.width / naturalWidth, LOGO_MAX.height / naturalHeight);
    // A drawing has no size of its own that it could lose.
    const scale = file.type === 'image/svg+xml' ? fits : Math.min(1, fits);
    for (let part = scale, tries = 0; tries < TRIES; part *= SMALLER, tries += 1) {
      const [width, height] = [naturalWidth, naturalHeight].map((size) => Math.max(1, Math.round(size * part))) as [
        number,
        number,
      ];
      const drawn = draw(image, width, height);
      if (drawn === null) break;
      if (showsNothing(drawn)) {
        fault = firmFailed.logoShowsNothing;
        break;
      }
      const blob = await pngOf(drawn);
      if (blob === null) break;
      if (blob.size > LOGO_MAX.bytes) {
        fault = firmFailed.logoTooLarge;
        continue;
      }
      const src = await dataAddressOf(blob);
      return { src, width, height, base64: src.slice(src.indexOf(',') + 1) };
    }
  } catch (cause) {
    throw new Error(firmFailed.logo, { cause });
  }
  throw new Error(fault);
}
