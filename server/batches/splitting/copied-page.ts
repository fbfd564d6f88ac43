// A page of one PDF as a page of another.
import { PDFArray, PDFDict, PDFName, type PDFObject, type PDFRef } from '@cantoo/pdf-lib';
import type { CopiedObjects } from './copied-objects.ts';
import { drawnAnnotation, shownAnnotations, webLink } from './drawn-annotations.ts';
import { inherited } from './page-tree.ts';
import { contentStreams, usedResources } from './used-resources.ts';

/** What a page says of itself or has from the tree that it hangs in. */
const INHERITED = ['MediaBox', 'CropBox', 'Rotate'];
/** What it says of itself. */
const OWN = ['UserUnit', 'Group', 'BleedBox', 'TrimBox', 'ArtBox'];

export function copyPage(page: PDFDict, parent: PDFRef, objects: CopiedObjects): PDFDict {
  const { target } = objects;
  const copy = PDFDict.withContext(target);
  const set = (key: string, value: PDFObject | undefined) => {
    if (value !== undefined) copy.set(PDFName.of(key), value);
  };
  set('Type', PDFName.Page);
  set('Parent', parent);
  for (const key of INHERITED) set(key, copied(inherited(page, PDFName.of(key)), objects));
  for (const key of OWN) set(key, copied(page.get(PDFName.of(key)), objects));
  const annotations = shownAnnotations(page);
  const links = annotations.flatMap((annotation) => webLink(annotation, objects) ?? []);
  if (links.length > 0) set('Annots', target.obj(links));
  const resources = copiedResources(page, objects);
  const drawings = annotations.flatMap((annotation) => drawnAnnotation(annotation, objects) ?? []);
  const operators = drawings.map(({ form, placed }) => `q ${placed} cm ${nameOf(form, resources)} Do Q`);
  const contents = copiedContents(page, objects);
  const drawn = operators.length === 0 ? contents : [stream('q'), ...contents, stream(['Q', ...operators].join('\n'))];
  set('Resources', resources);
  set('Contents', target.obj(drawn));
  return copy;

  function stream(operators: string): PDFRef {
    return target.register(target.stream(operators));
  }
}

function copied(object: PDFObject | undefined, objects: CopiedObjects): PDFObject | undefined {
  return object === undefined ? undefined : objects.copy(object);
}

function copiedResources(page: PDFDict, objects: CopiedObjects): PDFDict {
  const resources = page.context.lookup(inherited(page, PDFName.Resources));
  const used = resources instanceof PDFDict ? objects.copy(usedResources(resources, contentStreams(page))) : undefined;
  return used instanceof PDFDict ? used : PDFDict.withContext(objects.target);
}

function copiedContents(page: PDFDict, objects: CopiedObjects): PDFObject[] {
  const contents = page.lookup(PDFName.Contents);
  const parts = contents instanceof PDFArray ? contents.asArray() : [page.get(PDFName.Contents)];
  return parts.flatMap((part) => copied(part, objects) ?? []);
}

/** The name by which the page may draw it. */
function nameOf(form: PDFRef, resources: PDFDict): PDFName {
  const listed = resources.lookup(PDFName.XObject);
  const list = listed instanceof PDFDict ? listed : PDFDict.withContext(resources.context);
  const name = list.uniqueKey('Drawn');
  list.set(name, form);
  resources.set(PDFName.XObject, list);
  return name;
}
