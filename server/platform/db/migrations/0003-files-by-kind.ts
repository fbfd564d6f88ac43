// Lists by name and size within a kind or report type: names often begin with it, so that a walk by name alone would pass all others first.
import { statements } from './dialect.ts';

export const filesByKind = statements(() => [
  'create index files_kind_name on files (file_type, name_key, id)',
  'create index files_type_name on files (report_type_id, name_key, id)',
  'create index files_kind_size on files (file_type, size_bytes, id)',
]);
