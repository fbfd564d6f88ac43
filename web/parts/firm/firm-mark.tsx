// The firm's logo, or the product's mark in the firm's colour where there is none.
import type { ShownLogo } from '#web/lib/product.ts';
import classes from './firm-mark.module.css';

/** `height` and `widest` are in pixels: its room is there before the picture is. */
export function FirmMark({ logo, height, widest }: { logo: ShownLogo | null; height: number; widest: number }) {
  if (logo === null) {
    return (
      <svg width={height} height={height} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="7" fill="var(--mantine-color-accent-7)" />
        <path d="M9 11.5h14M9 16h14M9 20.5h8" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" fill="none" />
      </svg>
    );
  }
  const scale = Math.min(height / logo.height, widest / logo.width);
  // Beside it stands the name.
  return (
    <img
      src={logo.src}
      alt=""
      width={Math.max(1, Math.round(logo.width * scale))}
      height={Math.max(1, Math.round(logo.height * scale))}
      className={classes.logo}
    />
  );
}
