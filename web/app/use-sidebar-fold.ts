// Whether the sidebar is folded to icons: remembered in this browser, the same in every tab.
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';

const STORED_KEY = 'sidebarFolded';

/** Up to here tables need the room more than the names of pages do. */
const NARROW = '(max-width: 70em)';

/** Folded on a tablet and open on a desk, until somebody decides. */
export function useSidebarFold(): [boolean, (folded: boolean) => void] {
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const [decided, decide] = useLocalStorage<boolean | null>({
    key: STORED_KEY,
    defaultValue: null,
    getInitialValueInEffect: false,
    // Mantine stores the default as well, which nobody chose.
    serialize: (folded) => (folded === null ? '' : folded ? 'folded' : 'open'),
    deserialize: (stored) => (stored === 'folded' ? true : stored === 'open' ? false : null),
  });
  return [decided ?? narrow, decide];
}
