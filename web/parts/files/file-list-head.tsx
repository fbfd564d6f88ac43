// The line above every list of files: its title, its search, and what takes the list as a whole away.
import type { ReactElement } from 'react';
import type { FileMatching } from '#contract/files.ts';
import { ListHead } from '#web/ui/list-head.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { ListSearch } from '#web/ui/use-list-search.ts';
import { DownloadAllButton, type DownloadAllButtonProps } from './download-all-button.tsx';
import { ExportFilesButton, type ExportFilesButtonProps } from './export-files-button.tsx';

export interface FileListHeadProps {
  /** A heading, or a line in its place. */
  title: string | ReactElement;
  /** 'Search reports' */
  searchLabel: string;
  search: Pick<ListSearch, 'searchText' | 'setSearchText'>;
  /** What narrows the list. */
  matching: FileMatching;
  /** The list's answer, once it is there. */
  files: DownloadAllButtonProps['list'];
  /** That is of a list which was narrowed otherwise. */
  isOld: boolean;
  /** The query of the list, with its order. */
  query: ExportFilesButtonProps['query'];
}

export function FileListHead({ title, searchLabel, search, matching, files, isOld, query }: FileListHeadProps) {
  return (
    <ListHead
      title={title}
      search={
        <SearchBox
          label={searchLabel}
          placeholder={searchLabel}
          value={search.searchText}
          onChange={search.setSearchText}
        />
      }
      actions={
        <>
          <DownloadAllButton matching={matching} list={files} isOld={isOld} />
          <ExportFilesButton query={query} disabled={files?.total === 0} />
        </>
      }
    />
  );
}
