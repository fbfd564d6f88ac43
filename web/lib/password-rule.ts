import { safeguards } from './product.ts';

/** What a new password has to be, said before one is typed. Apart from what the sign-in page loads. */
export const passwordRule = `At least ${safeguards ? '8 characters, and none of the common ones' : '6 characters'}.`;
