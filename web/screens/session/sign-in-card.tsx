// What stands around the form of somebody who is not signed in: the firm's name, and whom to write to.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { supportEmail, useFirmFace } from '#web/lib/product.ts';
import { FirmMark } from '#web/parts/firm/firm-mark.tsx';
import classes from './login.module.css';

export interface SignInCardProps {
  /** That of the page in the browser. */
  title: string;
  heading: string;
  /** Whether the firm's own words to whoever comes stand above the heading. */
  welcomes?: boolean;
  children: ReactNode;
}

export function SignInCard({ title, heading, welcomes = false, children }: SignInCardProps) {
  const { name, logo, welcome } = useFirmFace();
  return (
    <main className={classes.page}>
      <title>{`${title} · ${name}`}</title>
      <div className={classes.card}>
        <div className={classes.brand}>
          <FirmMark logo={logo} height={logo === null ? 32 : 40} widest={200} />
          <span className={classes.product}>{name}</span>
        </div>
        {welcomes && welcome !== '' ? <p className={classes.welcome}>{welcome}</p> : null}
        <h1 className={classes.title}>{heading}</h1>
        {children}
      </div>
      <Button component="a" href={`mailto:${supportEmail()}`} variant="subtle" size="xs">
        Contact Support
      </Button>
    </main>
  );
}
