// One subject of the settings: what it is about on the left, what can be done on the right.
import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './account-settings.module.css';

export interface SettingsSectionProps {
  title: string;
  about: string;
  children: ReactNode;
}

export function SettingsSection({ title, about, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div>
        <Title order={2} size="h3" id={id} mb={4}>
          {title}
        </Title>
        <Text c="dimmed">{about}</Text>
      </div>
      <div className={classes.content}>{children}</div>
    </section>
  );
}
