// The page for unknown addresses (docs/behaviour.md, Screens: addresses and titles).

import { Link } from '@tanstack/react-router';
import { firmFace } from '#web/lib/product.ts';
import classes from './page-notice.module.css';

/** `alone` without the frame, when nobody is signed in. */
export function NotFound({ alone = false }: { alone?: boolean }) {
  const Place = alone ? 'main' : 'div';
  return (
    <Place className={classes.notice}>
      {alone ? <title>{`Page Not Found · ${firmFace().name}`}</title> : null}
      <h1 className={classes.heading}>404 Page Not Found</h1>
      <p className={classes.text}>Did you forget to add the page to the router?</p>
      <Link to="/" className={classes.way}>
        {alone ? 'Go to the start page' : 'Go to the Dashboard'}
      </Link>
    </Place>
  );
}
