// The contract's shapes by the names it exports them under: the named components of the API's description.
import { z } from 'zod';
import * as activity from '#contract/activity.ts';
import * as clients from '#contract/clients.ts';
import * as factors from '#contract/factors.ts';
import * as files from '#contract/files.ts';
import * as jobs from '#contract/jobs.ts';
import * as reportTypes from '#contract/report-types.ts';
import * as roles from '#contract/roles.ts';
import * as securityEvents from '#contract/security-events.ts';
import * as session from '#contract/session.ts';
import * as users from '#contract/users.ts';

const exported = {
  ...activity,
  ...clients,
  ...factors,
  ...files,
  ...jobs,
  ...reportTypes,
  ...roles,
  ...securityEvents,
  ...session,
  ...users,
};

type Exported = typeof exported;

/** What each shape is called that a caller sends or gets. */
export type ShapeName = {
  [Name in keyof Exported]: Exported[Name] extends z.ZodType ? Name : never;
}[keyof Exported];

export type Shape<Name extends ShapeName> = z.input<Extract<Exported[Name], z.ZodType>>;

/** Every shape with its name. */
export const shapes: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(exported).flatMap(([name, value]) => (value instanceof z.ZodType ? [[name, value]] : [])),
);
