// The line above a list: its title, a search, and what is done with the list as a whole.
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './list-head.module.css';

export interface ListHeadProps {
  title: string;
  search?: ReactNode;
  actions?: ReactNode;
}

export function ListHead({ title, search, actions }: ListHeadProps) {
  return (
    <div className={classes.head}>
      <Title order={3} className={classes.title ?? ''}>
        {title}
      </Title>
      {search ? <div className={classes.search}>{search}</div> : null}
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  );
}
