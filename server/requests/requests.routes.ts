// Requests to clients over HTTP: asked by staff, answered by clients, accepted or sent back.

import { expectedVersions } from '../api/if-match.ts';
import type { Handlers } from '../api/route.ts';
import type { Config } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { decideItem, sayNot } from './answers.repo.ts';
import { insertRequests, setClosed, updateRequest } from './asking.repo.ts';
import { receiveAnswer } from './receive-answer.ts';
import { findRequest, listRequests, summariseRequests } from './requests.repo.ts';
import { deleteTemplate, insertTemplate, listTemplates, updateTemplate } from './templates.repo.ts';

export function requestRoutes(
  services: Now & { readonly blobs: BlobStore; readonly config: Config; readonly clock: Clock },
): Handlers<'requests'> {
  const { now } = services;
  return {
    'requests.list': ({ read, input }) => listRequests(read, input.query, now()),

    'requests.summary': ({ read, input }) => summariseRequests(read, input.query, now()),

    'requests.create': ({ input, change }) =>
      change(async (scope) => ({ ids: await insertRequests(scope, input.body, now()) })),

    'requests.get': ({ read, input }) => findRequest(read, input.params.id),

    'requests.update': ({ input, change, request }) =>
      change((scope) =>
        updateRequest(scope, input.params.id, input.body, { expected: expectedVersions(request), at: now() }),
      ),

    'requests.close': ({ input, change }) => change((scope) => setClosed(scope, input.params.id, true, now())),

    'requests.reopen': ({ input, change }) => change((scope) => setClosed(scope, input.params.id, false, now())),

    'requests.send-file': (call) => receiveAnswer(call, services),

    'requests.say-not': ({ input, change }) =>
      change((scope) => sayNot(scope, input.params.id, input.body.note, now())),

    'requests.decide': ({ input, change, request }) =>
      change((scope) =>
        decideItem(scope, input.params.id, input.body, { expected: expectedVersions(request), at: now() }),
      ),

    'requests.templates': ({ read }) => {
      read.authorize('requests.manage');
      return listTemplates(read);
    },

    'requests.create-template': ({ input, change }) => change((scope) => insertTemplate(scope, input.body, now())),

    'requests.update-template': ({ input, change, request }) =>
      change((scope) =>
        updateTemplate(scope, input.params.id, input.body, { expected: expectedVersions(request), at: now() }),
      ),

    'requests.delete-template': ({ input, change }) => change((scope) => deleteTemplate(scope, input.params.id, now())),
  };
}
