// The styles of Mantine's components, each loaded with the code of its component instead of all of them with the first page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** The variables and the rules for every element, in Mantine's own order. */
const OF_EVERY_PAGE = ['default-css-variables', 'baseline', 'global'];

/** A component names its classes in one module, which only a page that shows the component has. */
const CLASSES_OF_COMPONENT = /[\\/]@mantine[\\/]core[\\/]esm[\\/].*[\\/]([A-Za-z]+)\.module\.mjs$/;
const ALL_STYLES = /[\\/]@mantine[\\/]core[\\/]styles\.css$/;

/**
 * When building, `@mantine/core/styles.css` is what every page needs, and each component brings the rest. While developing it stays the
 * whole, so nothing looks different: a component imports those that it is made of, so that their styles come before its own, as in the
 * whole.
 */
export function usedStyles(): Plugin {
  const styles = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'styles');
  return {
    name: 'used-styles',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: ALL_STYLES },
      handler: () => OF_EVERY_PAGE.map((name) => readFileSync(join(styles, `${name}.css`), 'utf8')).join('\n'),
    },
    transform: {
      filter: { id: CLASSES_OF_COMPONENT },
      handler(code, id) {
        const component = CLASSES_OF_COMPONENT.exec(id)?.[1];
        return { code: `import '@mantine/core/styles/${component}.css';\n${code}`, map: null };
      },
    },
  };
}
