// Why a move does not begin or does not go on.

/** Its message is one clear line for the operator, without addresses. */
export class MoveRefusal extends Error {
  override readonly name = 'MoveRefusal';
}
