// What a feature's handler gets and gives, derived from the contract.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { api, EndpointName, Output, Received } from '#contract/api.ts';
import type { Principal } from '../people/access/principal.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { Viewer } from '../people/access/viewer.ts';
import type { JsonPage, Page } from '../platform/db/list.ts';

/** One request to one endpoint, already let through the route guard and read. */
interface Call<Name extends EndpointName> {
  readonly input: Received<Name>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What is read takes no turn among those who write. Bytes and documents do: they are entered in the log when they leave. */
type OnlyReads<Name extends EndpointName> = (typeof api)[Name] extends {
  readonly method: 'GET';
  readonly answer: 'value' | 'list' | 'html';
}
  ? true
  : false;

/** A call by somebody signed in: the database is opened for this viewer alone. */
export interface ViewerCall<Name extends EndpointName> extends Call<Name> {
  readonly viewer: Viewer;
  readonly read: ReadScope;
  /** By whom acts are done, which know nothing of HTTP: each writes in a transaction of its own, with the rights of that moment. */
  readonly principal: OnlyReads<Name> extends true ? never : Principal;
  /**
   * Bytes being sent are cut soon after the session ends, and soon after the viewer's rights change. With this, instead of the
   * latter, soon after `holds` answers false, which is asked with the rights of that moment.
   */
  onlyWhile(holds: (read: ReadScope) => Promise<boolean>): void;
}

type Answered<Name extends EndpointName> = (typeof api)[Name]['answer'] extends 'list'
  ? Page<Output<Name> extends readonly (infer Row)[] ? Row : never> | JsonPage
  : (typeof api)[Name]['answer'] extends 'value'
    ? Output<Name>
    : (typeof api)[Name]['answer'] extends 'html'
      ? string
      : // Bytes are sent by the handler itself; "nothing" has nothing to send.
        // biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing returns nothing
        void;

type IsPublic<Name extends EndpointName> = (typeof api)[Name]['action'] extends 'session.open' ? true : false;

export type Handler<Name extends EndpointName> = (
  call: IsPublic<Name> extends true ? Call<Name> : ViewerCall<Name>,
) => Promise<Answered<Name>>;

/** The handlers of one noun: every endpoint the contract names under it, no more and no fewer. */
export type Handlers<Noun extends string> = {
  readonly [Name in EndpointName as Name extends `${Noun}.${string}` ? Name : never]: Handler<Name>;
};
