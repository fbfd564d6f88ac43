// The folder of a store that holds files is missing, as where its disk is not mounted.
export class MissingFolder extends Error {
  override readonly name = 'MissingFolder';
}
