// The files that a screen lists: which ones match, those of the page, and what is ticked among them.
import { useQuery } from '@tanstack/react-query';
import type { FileMatching } from '#contract/files.ts';
import { type FilesFilter, filesQuery } from '#web/data/files.ts';
import { askedFilters, type FileFilters } from './file-filters.ts';
import { type FileSelectionOptions, useFileSelection } from './file-selection.tsx';

interface FileListOptions extends Pick<FileSelectionOptions, 'noun' | 'withoutPeriod'> {
  /** The kind of files that the screen is about. */
  of: Pick<FileMatching, 'fileType' | 'marked'>;
  /** Those in force. */
  filters: FileFilters;
  list: { readonly q: string; readonly query: Pick<FilesFilter, 'limit' | 'offset' | 'sort' | 'q'> };
  /** Asks for one page of them: `reportsQuery`, where rows of another client or type must not stand in. */
  pageOf?: (query: FilesFilter) => ReturnType<typeof filesQuery>;
  /** False while it is not known yet what is to be listed. */
  enabled?: boolean;
}

export function useFileList(options: FileListOptions) {
  const { of, filters, list, noun, withoutPeriod = false, pageOf = filesQuery, enabled = true } = options;
  const matching = { ...of, ...askedFilters(filters), ...(list.q === '' ? {} : { q: list.q }) };
  /** With the order and the page. */
  const query = { ...list.query, ...matching };
  const files = useQuery({ ...pageOf(query), enabled });
  const selection = useFileSelection({ matching, list: files.data, noun, withoutPeriod });
  return { matching, query, files, selection };
}
