// JSON of documents whose lists are long: written some items at a time, so that others are answered in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { slicesOf } from '../db/list.ts';

const INDENT = '  ';

const indented = (value: unknown, depth: number) =>
  JSON.stringify(value, null, INDENT.length).replaceAll('\n', `\n${INDENT.repeat(depth)}`);

/** As `JSON.stringify(document, null, 2)` writes it. What is undefined is left out. */
export async function* jsonPieces(document: object): AsyncGenerator<Buffer> {
  let before = '{';
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue;
    before += `\n${INDENT}${JSON.stringify(key)}: `;
    if (!Array.isArray(value) || value.length === 0) {
      yield Buffer.from(`${before}${indented(value, 1)}`);
    } else {
      before += '[';
      for (const items of slicesOf(value)) {
        const text = items.map((item) => `\n${INDENT}${INDENT}${indented(item ?? null, 2)}`).join(',');
        yield Buffer.from(`${before}${text}`);
        before = ',';
        await nextTurn();
      }
      yield Buffer.from(`\n${INDENT}]`);
    }
    before = ',';
  }
  yield Buffer.from(before === '{' ? '{}' : '\n}');
}
