// A file's name in a list of reports: links to the file, with the list's filters.
import type { FileRow } from '#contract/files.ts';
import { FileMarks } from '#web/parts/files/file-marks.tsx';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { placeInList, type ShownList } from '#web/parts/files/list-address.ts';

export function ReportLink({ file, list }: { file: FileRow; list: ShownList }) {
  return (
    <FileMarks file={file}>
      <LinkToFile id={file.id} name={file.originalName} search={(address) => placeInList(address, list)} />
    </FileMarks>
  );
}
