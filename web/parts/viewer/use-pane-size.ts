// How much room a pane has for what it shows, without its scroll bars.
import { useResizeObserver } from '@mantine/hooks';

/** In px; 0 before it is measured. Where scroll bars take room, the element's own width is more than what it can show. */
export function usePaneSize() {
  const [ref, { left, right, top, bottom }] = useResizeObserver<HTMLElement>();
  return { ref, width: right - left, height: bottom - top };
}
