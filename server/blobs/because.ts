// Ties a refusal to the fault behind it: the log sees why, the answer does not.
import type { Refusal } from '#contract/errors.ts';

export function because(refusal: Refusal, cause: unknown): Refusal {
  refusal.cause = cause;
  return refusal;
}
