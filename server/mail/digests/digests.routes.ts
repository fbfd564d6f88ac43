// What people hear of by mail over HTTP: their own choices, what is usual, and the link that ends one kind.

import { originOf } from '../../api/origin.ts';
import type { Handlers } from '../../api/route.ts';
import type { Attempts } from '../../people/auth/attempts.ts';
import type { Now } from '../../platform/clock.ts';
import type { Outbox } from '../outbox.ts';
import { changeUsualDigests, chooseDigest, endDigests } from './digests.acts.ts';
import { readOwn, readUsualPaces } from './digests.repo.ts';
import type { Ending } from './ending.ts';

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
  services: Now & { readonly outbox: Outbox },
  stores: { readonly attempts: Attempts; readonly ending: Ending },
): Handlers<'digests'> {
  return {
    'digests.own': ({ read }) => {
      read.authorize('digests.choose');
      return readOwn(read, services.outbox.isOn);
    },

    'digests.choose': ({ principal, input }) => chooseDigest(principal, input.body, services),

    'digests.usual': ({ read }) => {
      read.authorize('mail.read');
      return readUsualPaces(read);
    },

    'digests.set-usual': ({ principal, input }) => changeUsualDigests(principal, input.body, services),

    'digests.end-page': async ({ input }) => pageThatLeadsOn(input.query.token),

    'digests.end': ({ input, request }) => endDigests(input.query.token, originOf(request), stores),
  };
}
