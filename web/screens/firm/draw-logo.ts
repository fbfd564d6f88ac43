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

function pngOf(image: HTMLImageElement, width: number, height: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Rejects with an Error whose message a person reads. */
export async function drawLogo(file: File): Promise<DrawnLogo> {
  let blob: Blob | null = null;
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
      blob = await pngOf(image, width, height);
      if (blob === null) break;
      if (blob.size > LOGO_MAX.bytes) continue;
      const src = await dataAddressOf(blob);
      return { src, width, height, base64: src.slice(src.indexOf(',') + 1) };
    }
  } catch (cause) {
    throw new Error(firmFailed.logo, { cause });
  }
  throw new Error(blob === null ? firmFailed.logo : firmFailed.logoTooLarge);
}
