// What in a folder or a ZIP is no document, by its path. Without schemas, so that the page that sends a folder needs none.

/** What systems put beside the files, and folders: no person put it there, so nobody is told of it. */
const SYSTEM = /(?:^|\/)(?:__MACOSX\/|(?:\.DS_Store|Thumbs\.db|desktop\.ini)$)/i;
/** What Macs keep beside a file, named like it. */
const RESOURCE_FORK = /(?:^|\/)\._[^/]*$/;
const HIDDEN = /(?:^|\/)\.(?!\.?(?:\/|$))[^/]/;

/** `system`: it is passed over without a word; anything else is named with that reason. Null for what may be a document. */
export function noDocument(path: string): 'system' | 'resourceFork' | 'hidden' | null {
  if (SYSTEM.test(path)) return 'system';
  if (RESOURCE_FORK.test(path)) return 'resourceFork';
  return HIDDEN.test(path) ? 'hidden' : null;
}
