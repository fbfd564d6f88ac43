// The head of a page: its title, a line about it, and its main actions.
import { Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';

/** What the header of the portal says above the page; null where it says nothing. */
export const HeaderTitle = createContext<string | null>(null);

export interface PageHeaderProps {
  /** The name of the page, or grey in its place while it loads. */
  title: ReactNode;
  subtitle?: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
}

/** The heading of the page, the only one of its level. One that the header says already is there for those who hear the page, and seen once. */
export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  const saidAbove = useContext(HeaderTitle) === title;
  const heading = (
    <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
      {title}
    </Title>
  );
  if (saidAbove && !subtitle && !actions) return <VisuallyHidden>{heading}</VisuallyHidden>;
  return (
    <Group justify="space-between" align="center" gap="sm" mb="lg">
      <Stack gap={2} miw={0}>
        {saidAbove ? <VisuallyHidden>{heading}</VisuallyHidden> : heading}
        {subtitle ? <Text c="dimmed">{subtitle}</Text> : null}
      </Stack>
      {actions ? (
        <Group gap="xs" data-screen-only>
          {actions}
        </Group>
      ) : null}
    </Group>
  );
}
