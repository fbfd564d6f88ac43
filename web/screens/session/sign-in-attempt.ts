// What an attempt to sign in may lead to: a session, or the second step, whose code loads only then.
import type { ComponentType } from 'react';
import type { Challenge } from '#contract/session.ts';
import { failed } from '#web/lib/messages.ts';
import type { SecondStepProps } from './second-step.tsx';

/** A second step that is required, ready to be shown. */
export interface RequiredStep {
  readonly challenge: Challenge;
  readonly username: string;
  readonly Step: ComponentType<SecondStepProps>;
}

export const headingOfStep = ({ challenge }: RequiredStep) =>
  challenge.enrols ? 'Set up a second factor' : 'Confirm that it is you';

/** What follows the right password; null where the session has begun. Throws an Error where its code cannot be loaded. */
export async function stepAfter(challenge: Challenge | null, username: string): Promise<RequiredStep | null> {
  if (challenge === null) return null;
  try {
    const { SecondStep } = await import('./second-step.tsx');
    return { challenge, username, Step: SecondStep };
  } catch (error) {
    throw new Error(failed.loadPart, { cause: error });
  }
}
