// Why a database is left as it is.

/** A schema that this program must not touch; its message is one clear line for the operator. */
export class SchemaRefusal extends Error {
  override readonly name = 'SchemaRefusal';
}
