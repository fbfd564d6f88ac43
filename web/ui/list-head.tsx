// The line above a list: its title, a search, and what is done with the list as a whole.
import { Title } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import classes from './list-head.module.css';

export interface ListHeadProps {
  /** A heading, or a line in its place. */
  title: string | ReactElement;
  search?: ReactNode;
  actions?: ReactNode;
}

export function ListHead({ title, search, actions }: ListHeadProps) {
  return (
    <div className={classes.head}>
      {typeof title === 'string' ? (
        <Title order={2} size="h3" className={classes.title ?? ''}>
          {title}
        </Title>
      ) : (
        <div className={classes.line}>{title}</div>
      )}
      {search ? <div className={classes.search}>{search}</div> : null}
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  );
}
