// How the firm will look: the sign-in page, the portal and a mail, in one scheme, while it is typed.
import type { CSSProperties } from 'react';
import { MAIL_COLOURS, mailAccent } from '#contract/mail-colours.ts';
import { PRODUCT_SHADES, type Shades } from '#contract/shades.ts';
import type { FirmFace } from '#web/lib/product.ts';
import { FirmMark } from '#web/parts/firm/firm-mark.tsx';
import { schemeColours } from '#web/ui/theme.ts';
import classes from './firm-preview.module.css';

type Scheme = 'light' | 'dark';

function mailColours(shades: Shades, scheme: Scheme) {
  const { ground, sheet, ink, soft, onButton } = MAIL_COLOURS[scheme];
  return {
    '--mail-ground': ground,
    '--mail-sheet': sheet,
    '--mail-ink': ink,
    '--mail-soft': soft,
    '--mail-accent': mailAccent(shades)[scheme].button,
    '--mail-on-accent': onButton,
  };
}

/** All that the real pages take from the theme, for what is inside. */
function colours(shades: Shades, scheme: Scheme) {
  const accent = Object.fromEntries(shades.ten.map((shade, nth) => [`--mantine-color-accent-${nth}`, shade]));
  const filled = shades.ten[scheme === 'light' ? 7 : 6];
  return {
    ...accent,
    ...schemeColours(shades)[scheme],
    ...mailColours(shades, scheme),
    '--preview-filled': filled,
  };
}

export interface FirmPreviewProps {
  face: FirmFace;
  support: string;
  scheme: Scheme;
}

/** One picture for those who hear the page: what it shows is in the fields beside it. */
export function FirmPreview({ face, support, scheme }: FirmPreviewProps) {
  const shades = face.shades ?? PRODUCT_SHADES;
  const ways = [
    ...(support === '' ? [] : [`write to ${support}`]),
    ...(face.phone === '' ? [] : [`call ${face.phone}`]),
  ];
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>{scheme === 'light' ? 'Light' : 'Dark'}</figcaption>
      <div
        role="img"
        aria-label={`Preview of the sign-in page, the portal and a mail in ${scheme} colors`}
        className={classes.preview}
        data-mantine-color-scheme={scheme}
        style={colours(shades, scheme) as CSSProperties}
      >
        <div className={classes.signIn}>
          <div className={classes.card}>
            <div className={classes.brand}>
              <FirmMark logo={face.logo} height={face.logo === null ? 20 : 26} widest={120} />
              <span className={classes.name}>{face.name}</span>
            </div>
            {face.welcome === '' ? null : <p className={classes.welcome}>{face.welcome}</p>}
            <span className={classes.label}>Username</span>
            <span className={classes.field} />
            <span className={classes.label}>Password</span>
            <span className={classes.field} />
            <span className={classes.button}>Login</span>
          </div>
          <span className={classes.link}>Contact Support</span>
        </div>
        <div className={classes.portal}>
          <div className={classes.sidebar}>
            <div className={classes.brand}>
              <FirmMark logo={face.logo} height={face.logo === null ? 18 : 20} widest={64} />
              <span className={`${classes.name} ${classes.cut}`}>{face.name}</span>
            </div>
            <span className={classes.entry}>Dashboard</span>
            <span className={`${classes.entry} ${classes.chosen}`}>Reports</span>
            <span className={classes.entry}>Firm Documents</span>
          </div>
          <div className={classes.page}>
            <span className={classes.button}>View Reports</span>
            <span className={classes.link}>Form 941 Q1.pdf</span>
          </div>
        </div>
        <div className={classes.mail}>
          <div className={classes.sheet}>
            <strong>Test mail</strong>
            <span className={classes.mailButton}>Open {face.name}</span>
          </div>
          <div className={classes.foot}>
            <p>This mail was sent automatically by {face.name}.</p>
            {ways.length === 0 ? null : <p>Questions? {capital(ways.join(' or '))}.</p>}
            {face.address === '' ? null : <p className={classes.lines}>{face.address}</p>}
          </div>
        </div>
      </div>
    </figure>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
