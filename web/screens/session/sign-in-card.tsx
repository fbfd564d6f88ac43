// What stands around the form of somebody who is not signed in: the firm's name, and whom to write to.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { productName, supportEmail } from '#web/lib/product.ts';
import classes from './login.module.css';

/** `title` is the page's in the browser. */
export function SignInCard({ title, heading, children }: { title: string; heading: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <title>{`${title} · ${productName}`}</title>
      <div className={classes.card}>
        <div className={classes.brand}>
          <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect width="32" height="32" rx="7" fill="#2a58b5" />
            <path d="M9 11.5h14M9 16h14M9 20.5h8" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" fill="none" />
          </svg>
          <span className={classes.product}>{productName}</span>
        </div>
        <h1 className={classes.title}>{heading}</h1>
        {children}
      </div>
      <Button component="a" href={`mailto:${supportEmail()}`} variant="subtle" size="xs">
        Contact Support
      </Button>
    </main>
  );
}
