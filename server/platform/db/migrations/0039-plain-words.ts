// Words inside documents are searched in plain letters, as names are: they are made anew from the text, which is kept.
import { statements } from './dialect.ts';

export const plainWords = statements(() => [
  `insert into files_to_read (file_id, attempts, person_id)
    select files.id, 0, coalesce(files.uploaded_by_id, 0) from files
    where exists (select 1 from document_texts held where held.file_id = files.id)
    on conflict (file_id) do update set attempts = 0`,
]);
