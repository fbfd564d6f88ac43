// What people hear of by mail over HTTP: their own choices, what is usual, and the link that ends one kind.

import { refuse } from '#contract/errors.ts';
import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import { record } from '../../audit/record.ts';
import type { Attempts } from '../../people/auth/attempts.ts';
import type { Now } from '../../platform/clock.ts';
import type { Outbox } from '../outbox.ts';
import { choose } from './choices.ts';
import { readOwn, readUsualPaces, saveUsual } from './digests.repo.ts';
import { type Ending, endingTriesOf } from './ending.ts';

/** `token` is of letters, digits, dots, dashes and underscores alone: the contract lets nothing else in. */
const pageThatLeadsOn = (token: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=/end-mails#${token}">
<title>End mails</title>
</head>
<body><p><a href="/end-mails#${token}">Go on to end these mails</a></p></body>
</html>
`;

export function digestRoutes(
  { now, outbox }: Now & { readonly outbox: Outbox },
  { attempts, ending }: { readonly attempts: Attempts; readonly ending: Ending },
): Handlers<'digests'> {
  return {
    'digests.own': ({ read }) => {
      read.authorize('digests.choose');
      return readOwn(read, outbox.isOn);
    },

    'digests.choose': ({ input, change }) =>
      change(async (scope) => {
        const tx = scope.unscoped(scope.authorize('digests.choose'));
        await choose(tx, scope.viewer, input.body, now());
        return readOwn(scope, outbox.isOn);
      }),

    'digests.usual': ({ read }) => {
      read.authorize('mail.read');
      return readUsualPaces(read);
    },

    'digests.set-usual': ({ input, change }) =>
      change(async (scope) => {
        const proof = scope.authorize('mail.manage');
        const at = now();
        for (const details of await saveUsual(scope, proof, input.body, at)) {
          await record(scope, proof, { action: 'update', details }, at);
        }
        return readUsualPaces(scope);
      }),

    'digests.end-page': async ({ input }) => pageThatLeadsOn(input.query.token),

    'digests.end': ({ input, request }) => {
      const origin = originOf(request);
      return attempts.judged(endingTriesOf(origin), origin, async (attempt) => {
        if (!(await ending.end(input.query.token, attempt))) throw refuse('ending_link_invalid');
      });
    },
  };
}
