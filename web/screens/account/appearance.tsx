// Light, dark, or as the system says; kept in this browser.

import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import classes from './appearance.module.css';

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Appearance"
      classNames={{ root: classes.switch ?? '', indicator: classes.chosen ?? '' }}
      value={colorScheme}
      onChange={(chosen) => setColorScheme(chosen)}
      data={schemes.map(({ value, label, icon: Icon }) => ({
        value,
        label: (
          <span className={classes.choice}>
            <Icon size={16} stroke={1.6} aria-hidden />
            {label}
          </span>
        ),
      }))}
    />
  );
}
