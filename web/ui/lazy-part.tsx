// A part of a screen whose code loads when it is first shown: most visits do not come to it.
import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense } from 'react';
import { failed } from '#web/lib/messages.ts';
import { toast } from './toast.tsx';

/** Where the code cannot be had, that is said, and nothing is in its place. `meanwhile` stands there until it is. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): FunctionComponent<Props> {
  const Loaded = lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      toast.error(failed.loadPart);
      const Nothing: ComponentType<Props> = () => null;
      return { default: Nothing };
    }
  });
  return (props) => (
    <Suspense fallback={meanwhile}>
      <Loaded {...props} />
    </Suspense>
  );
}
