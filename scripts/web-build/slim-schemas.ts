// Leaves out what the library of schemas brings to describe them as JSON Schema: in a browser they judge what is typed, and no more.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const DESCRIBING = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
const EXPORTED = /^export (?:function|const) (\w+)/gm;

/** By the name of what is exported: schemas are made with the first two, and ask the third for what nobody reads here. */
const instead: Readonly<Record<string, string>> = {
  createToJSONSchemaMethod: '() => described',
  createStandardJSONSchemaMethod: '() => described',
  aggregateChecks: '() => ({})',
};

/** When building: a schema that is described in the browser says that it cannot be. */
export function slimSchemas(): Plugin {
  return {
    name: 'slim-schemas',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: DESCRIBING },
      handler: (id) => {
        const names = [...readFileSync(id, 'utf8').matchAll(EXPORTED)].map(([, name = '']) => name);
        const exported = names.map((name) => `export const ${name} = ${instead[name] ?? 'described'};`);
        return [
          `const described = () => { throw new Error('Schemas are not described in the browser'); };`,
          ...exported,
          ...(names.includes('processSchema') ? ['export { processSchema as process };'] : []),
        ].join('\n');
      },
    },
  };
}
