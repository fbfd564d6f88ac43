// Why a move does not start or does not continue.

/** Its message is one clear line for the operator, without addresses. */
export class MoveRefusal extends Error {
  override readonly name = 'MoveRefusal';
}
