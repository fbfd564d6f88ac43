// How the portal looks in this browser: light, dark or as the system says, and how dense tables are.

import { useMantineColorScheme } from '@mantine/core';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconDeviceDesktop,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { useDensity } from '#web/ui/density.ts';
import { IconChoice } from './icon-choice.tsx';

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

const densities = [
  { value: 'comfortable', label: 'Comfortable', icon: IconBaselineDensityMedium },
  { value: 'compact', label: 'Compact', icon: IconBaselineDensitySmall },
] as const;

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity();
  return (
    <>
      <IconChoice label="Theme" value={colorScheme} choices={schemes} onChange={setColorScheme} />
      <IconChoice label="Table density" value={density} choices={densities} onChange={setDensity} />
    </>
  );
}
