// The screens of a company's own details and documents.
import { markedRow } from './marked-files.ts';
import type { Screen } from './screen.ts';
import { dialog } from './states.ts';
import { uploadWithFiles } from './uploads.ts';

export const cpaCompanyScreens: readonly Screen[] = [
  { name: 'cpa-firm-details', path: '/firm-details', heading: 'Company Details', states: [] },
  {
    name: 'cpa-firm-documents',
    path: '/firm-documents',
    heading: 'Firm Documents',
    states: [
      dialog('upload', 'Upload Document'),
      uploadWithFiles('Upload Document'),
      dialog('delete', /^Delete /),
      markedRow,
    ],
  },
];

export const clientCompanyScreens: readonly Screen[] = [
  { name: 'client-firm-details', path: '/firm-details', heading: 'Company Details', states: [] },
  { name: 'client-firm-documents', path: '/firm-documents', heading: 'Firm Documents', states: [] },
];
