// The one thing that somebody sees whose password was set by somebody else: the form for one of their own.

import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { signOut } from '#web/data/session.ts';
import { passwordRule } from '#web/lib/password-rule.ts';
import { firmFace } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ChangePassword } from '#web/screens/account/change-password.tsx';
import classes from './password-wanted.module.css';

export function PasswordWanted() {
  const user = useSessionUser();
  return (
    <main className={classes.page}>
      <title>{`Choose a new password · ${firmFace().name}`}</title>
      <Paper withBorder radius="md" p="xl" className={classes.card ?? ''}>
        <Stack gap="md">
          <Title order={1} size="h3">
            Choose a new password
          </Title>
          <Text>
            {user.fullName}, your password was set by somebody else. To go on, choose one that only you know.{' '}
            {passwordRule}
          </Text>
          <ChangePassword />
          <Button variant="subtle" className={classes.out ?? ''} onClick={signOut}>
            Sign out
          </Button>
        </Stack>
      </Paper>
    </main>
  );
}
