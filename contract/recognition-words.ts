// What recognition says about a document of a batch, in words. Without schemas, so that a page that lists them needs none.

/** What spoke for a client, a type or a period. */
export const SIGNAL_KINDS = [
  'federalId',
  'stateId',
  'legalName',
  'otherName',
  'cutName',
  'fileName',
  'bookmark',
  'form',
  'phrase',
  'period',
] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** What a screen calls each of them. */
export const signalLabels: Record<SignalKind, string> = {
  federalId: 'Federal ID',
  stateId: 'State ID',
  legalName: 'Legal name',
  otherName: 'Other name',
  cutName: 'Part of the name',
  fileName: 'File name',
  bookmark: 'Bookmark',
  form: 'Form',
  phrase: 'Phrase',
  period: 'Period',
};

/** Why a document is not ready. */
export const REASON_KINDS = [
  'noClient',
  'oneSignal',
  'severalClients',
  'contradiction',
  'anotherCompany',
  'noType',
  'unknownType',
  'typeByFileName',
  'severalTypes',
  'noPeriod',
  'unreadPeriod',
  'severalPeriods',
  'missingPages',
  'unclaimedPages',
  'separator',
  'noText',
  'pageTooLong',
  'pageDamaged',
] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

/** What a screen says of each of them. */
export const reasonSentences: Record<ReasonKind, string> = {
  noClient: 'Nothing in it names a client',
  oneSignal: 'Only one thing speaks for this client',
  severalClients: 'It names several clients',
  contradiction: 'Something in it speaks against this client',
  anotherCompany: 'It names another company',
  noType: 'Nothing in it says what it is',
  unknownType: 'No report type of the firm goes with this form',
  typeByFileName: 'Only the file’s name says what it is',
  severalTypes: 'It could be of several types',
  noPeriod: 'No period found in it',
  unreadPeriod: 'The date that it is for cannot be read, or is too far ahead',
  severalPeriods: 'It names several periods',
  missingPages: 'It says that it has more pages than are here',
  unclaimedPages: 'Nothing says what these pages belong to',
  separator: 'It looks like a separator sheet',
  noText: 'There is no text in it to read',
  pageTooLong: 'This page takes too long or too much memory to read',
  pageDamaged: 'The picture on this page is damaged',
};

/** How long the longer side of an image is, in the points in which its marks are: as a sheet of paper, whatever its size. */
export const IMAGE_POINTS = 792;
