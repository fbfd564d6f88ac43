// Requests to clients over HTTP: asked by staff, answered by clients, accepted or sent back.

import { idempotencyKeyOf } from '../api/idempotency-key.ts';
import { expectedVersions } from '../api/if-match.ts';
import type { Handlers } from '../api/route.ts';
import type { Config } from '../config.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { receiveAnswer } from './receive-answer.ts';
import {
  answerWithNot,
  changeRequest,
  changeTemplate,
  closeRequest,
  createRequests,
  createTemplate,
  decideItem,
  deleteTemplate,
  reopenRequest,
} from './requests.acts.ts';
import { findRequestPage, listRequests, summariseRequests } from './requests.repo.ts';
import { listTemplates } from './templates.repo.ts';

export function requestRoutes(
  services: Now & { readonly blobs: BlobStore; readonly config: Config; readonly clock: Clock },
): Handlers<'requests'> {
  const { now } = services;
  return {
    'requests.list': ({ read, input }) => listRequests(read, input.query, now()),

    'requests.summary': ({ read, input }) => summariseRequests(read, input.query, now()),

    'requests.create': async ({ principal, input, request }) => ({
      ids: await createRequests(principal, { input: input.body, key: idempotencyKeyOf(request) }, services),
    }),

    'requests.get': ({ read, input }) => findRequestPage(read, input.params.id),

    'requests.update': ({ principal, input, request }) =>
      changeRequest(
        principal,
        { id: input.params.id, input: input.body, expected: expectedVersions(request) },
        services,
      ),

    'requests.close': ({ principal, input }) => closeRequest(principal, input.params.id, services),

    'requests.reopen': ({ principal, input }) => reopenRequest(principal, input.params.id, services),

    'requests.send-file': (call) => receiveAnswer(call, services),

    'requests.say-not': ({ principal, input, request }) =>
      answerWithNot(
        principal,
        { id: input.params.id, input: input.body, expected: expectedVersions(request) },
        services,
      ),

    'requests.decide': ({ principal, input, request }) =>
      decideItem(principal, { id: input.params.id, input: input.body, expected: expectedVersions(request) }, services),

    'requests.templates': ({ read }) => {
      read.authorize('requests.manage');
      return listTemplates(read);
    },

    'requests.create-template': ({ principal, input }) => createTemplate(principal, input.body, services),

    'requests.update-template': ({ principal, input, request }) =>
      changeTemplate(
        principal,
        { id: input.params.id, input: input.body, expected: expectedVersions(request) },
        services,
      ),

    'requests.delete-template': ({ principal, input }) => deleteTemplate(principal, input.params.id, services),
  };
}
