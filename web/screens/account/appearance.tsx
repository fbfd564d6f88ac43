// How the portal looks: light, dark or as the system says, in this browser; and how dense tables are, for the person everywhere.

import { useMantineColorScheme } from '@mantine/core';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconDeviceDesktop,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { useContext } from 'react';
import { ChosenLook } from '#web/ui/chosen-look.ts';
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
  const { density, choose } = useContext(ChosenLook);
  return (
    <>
      <IconChoice label="Theme" value={colorScheme} choices={schemes} onChange={setColorScheme} />
      <IconChoice
        label="Table density"
        value={density}
        choices={densities}
        onChange={(next) => choose({ density: next })}
      />
    </>
  );
}
