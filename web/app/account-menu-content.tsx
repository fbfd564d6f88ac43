// What the account menu shows; loaded when it is first opened.
import { UnstyledButton } from '@mantine/core';
import { IconHelp, IconKeyboard, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSessionUser } from '#web/lib/session.ts';
import { Appearance } from '#web/screens/account/appearance.tsx';
import { useHistoryStep } from '#web/ui/use-history-step.ts';
import classes from './account-menu.module.css';
import { openSheet } from './shortcuts/command-sheet.ts';

export function AccountMenuContent({ onLeave }: { onLeave: () => void }) {
  const user = useSessionUser();
  useHistoryStep(onLeave);
  return (
    <>
      <p className={classes.name}>{user.fullName || user.username}</p>
      <p className={classes.role}>
        {user.username} · {user.role.name}
      </p>
      <Appearance />
      <ul className={classes.entries}>
        <li>
          <Link to="/account-settings" className={classes.entry} onClick={onLeave}>
            <IconSettings size={17} stroke={1.6} aria-hidden />
            Account Setting
          </Link>
        </li>
        <li>
          <Link to="/help" className={classes.entry} onClick={onLeave}>
            <IconHelp size={17} stroke={1.6} aria-hidden />
            Help
          </Link>
        </li>
        <li>
          <UnstyledButton
            className={classes.entry}
            onClick={() => {
              onLeave();
              openSheet('shortcuts');
            }}
          >
            <IconKeyboard size={17} stroke={1.6} aria-hidden />
            Keyboard shortcuts
          </UnstyledButton>
        </li>
      </ul>
    </>
  );
}
