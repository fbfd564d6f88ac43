// The name of an uploaded file as it may be kept, shown and offered for saving.

const MAX_BYTES = 180;
/** A longer ending is no extension but part of a sentence with a full stop. */
const MAX_EXTENSION_BYTES = 20;

/** Names Windows keeps for devices, whatever extension follows. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;
/** Characters that break lines, are invisible, or make `exe.pdf` out of `fdp.exe`. */
const UNSEEN =
  /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u2800\uFFFE\uFFFF]|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/gu;
/** Joiners and selectors are part of words and emoji where they follow a letter, mark or symbol, and unseen elsewhere. */
const ASTRAY = /(?<![\p{L}\p{M}\p{N}\p{S}])(?:\u200C|\u200D|\uFE0E|\uFE0F)+/gu;

/** Keeps the last part of a path: at most 180 bytes of UTF-8 in NFC with its extension, never empty. */
export function cleanFileName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const visible = trimDots(base.toWellFormed().replace(UNSEEN, '').replace(ASTRAY, '').normalize('NFC'));
  const harmless = DEVICE_NAME.test(visible) ? `_${visible}` : visible;
  return shorten(harmless, MAX_BYTES) || 'file';
}

/** In UTF-16 units, from the end of the path. */
const MAX_PATH_LENGTH = 300;

/** A path as it may be shown: each part cleaned like a file's name and none that leads elsewhere, its end where it is long, never empty. */
export function cleanFilePath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.map(cleanFileName).join('/').slice(-MAX_PATH_LENGTH).toWellFormed() || 'file';
}

function trimDots(text: string): string {
  return text.replace(/^[.\s]+|[.\s]+$/gu, '');
}

/** At most `maxBytes` of UTF-8 with its extension, cut between whole characters. */
export function shorten(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot) : '';
  const extension = Buffer.byteLength(ending) <= MAX_EXTENSION_BYTES ? ending : '';
  const stem = name.slice(0, name.length - extension.length);
  const stemBytes = maxBytes - Buffer.byteLength(extension);
  // A single one may be longer than all of it: then what fits of it.
  const kept = trimDots(startOf(charactersOf(stem), stemBytes)) || trimDots(startOf(stem, stemBytes));
  return kept + extension;
}

/** Whole characters as people see them: half an emoji or a lost accent would be another name. */
function* charactersOf(text: string): Generator<string> {
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) yield segment;
}

function startOf(parts: Iterable<string>, maxBytes: number): string {
  let [kept, keptBytes] = ['', 0];
  for (const part of parts) {
    keptBytes += Buffer.byteLength(part);
    if (keptBytes > maxBytes) break;
    kept += part;
  }
  return kept;
}
