// What the calls of `*-answers.ts` are, and what several of them need.
import type { api, EndpointName } from '#contract/api.ts';
import type { Answer } from '../test-app.ts';
import type { ContractFirm } from './contract-firm.ts';

/** What exists with SAFEGUARDS=on alone; its own tests check its answers. */
type SafeguardsName = {
  [Name in EndpointName]: (typeof api)[Name] extends { safeguardsOnly: true } ? Name : never;
}[EndpointName];
export type AnsweredName = Exclude<EndpointName, SafeguardsName>;

/** What a call answers when it succeeds, as the tables of docs/behaviour.md say it, repeated by hand. */
export type SuccessfulCall = readonly [status: number, call: () => Promise<Answer>];

/** Such a call of every endpoint of some, and of no other. */
export type AnswersOf<Endpoints> = Readonly<
  Record<Extract<Exclude<keyof Endpoints, SafeguardsName>, EndpointName>, SuccessfulCall>
>;

/** What a call made. */
export const rowOf = async (answer: Promise<Answer<unknown>>) => (await answer).body as { id: number };

export function uploadFile({ app, firm }: ContractFirm) {
  const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
  return app.admin.upload<{ id: number }>({ fields });
}
