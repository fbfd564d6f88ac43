// The person at the end of the header: opens how the portal looks, the account and the keys.

import { Avatar, Popover, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { initialsOf } from '#web/lib/format.ts';
import { failed } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';
import classes from './account-menu.module.css';
import { lazyScreen } from './lazy-screen.tsx';

const content = lazyScreen(async () => (await import('./account-menu-content.tsx')).AccountMenuContent);

export function AccountMenu({ name }: { name: string }) {
  const [opened, menu] = useDisclosure(false);
  // Opened when there is something that can have the focus.
  const show = () => void content.load().then(menu.open, () => toast.error(failed.loadPart));
  return (
    <Popover
      opened={opened}
      onChange={(open) => (open ? menu.open() : menu.close())}
      position="bottom-end"
      shadow="md"
      width={280}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.button}
          aria-label={`${initialsOf(name)}, account menu`}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={opened ? menu.close : show}
          onPointerEnter={() => void content.preload()}
          onFocus={() => void content.preload()}
        >
          <Avatar size={32} radius="xl" color="accent" variant="filled" aria-hidden>
            {initialsOf(name)}
          </Avatar>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Account menu" className={classes.menu ?? ''}>
        <content.Screen onLeave={menu.close} />
      </Popover.Dropdown>
    </Popover>
  );
}
