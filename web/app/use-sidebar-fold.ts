// Whether the sidebar is folded to icons: remembered in this browser, the same in every tab.
import { useLocalStorage } from '@mantine/hooks';

const STORED_KEY = 'sidebarFolded';

export function useSidebarFold(): [boolean, (folded: boolean) => void] {
  const [folded, setFolded] = useLocalStorage<boolean>({
    key: STORED_KEY,
    defaultValue: false,
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (stored) => stored === 'true',
  });
  return [folded, setFolded];
}
