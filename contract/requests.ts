// What staff ask clients for: a request to one client, its items, what was sent to each, and templates to begin with.
import { z } from 'zod';
import {
  dateOnly,
  Id,
  IdText,
  Instant,
  longPageQuery,
  pageQuery,
  sortQuery,
  textLine,
  textLineOrNone,
  Version,
} from './fields.ts';
import {
  CLIENTS_ASKED_MAX,
  DUE_FILTERS,
  ITEM_NAME_MAX,
  ITEM_STATES,
  ITEMS_MAX,
  REQUEST_STATES,
  REQUEST_TEXT_MAX,
  REQUEST_TITLE_MAX,
} from './request-words.ts';

const NO_ITEM = 'Please add at least one item';
const NO_CLIENT = 'Please select at least one client';

const itemFields = {
  name: textLine({ min: 1, max: ITEM_NAME_MAX, message: 'Please say what is asked for' }),
  note: textLineOrNone(REQUEST_TEXT_MAX),
};

export const RequestItemInput = z.strictObject(itemFields);
export type RequestItemInput = z.infer<typeof RequestItemInput>;

const itemsOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item, { error: NO_ITEM }).min(1, NO_ITEM).max(ITEMS_MAX, `A request has at most ${ITEMS_MAX} items`);

const requestFields = {
  title: textLine({ min: 1, max: REQUEST_TITLE_MAX, message: 'Please enter a title' }),
  message: textLineOrNone(REQUEST_TEXT_MAX),
  /** Null where the client may take its time. */
  dueOn: dateOnly('Must be a date like 2026-01-31').nullable(),
};

/** One request to each of the clients. */
export const RequestInput = z.strictObject({
  clientIds: z
    .array(Id, { error: NO_CLIENT })
    .min(1, NO_CLIENT)
    .max(CLIENTS_ASKED_MAX, `At most ${CLIENTS_ASKED_MAX} clients can be asked at once`)
    .transform((ids) => [...new Set(ids)]),
  ...requestFields,
  items: itemsOf(RequestItemInput),
});
export type RequestInput = z.infer<typeof RequestInput>;

/** The whole request as it is to be: items without an id are new, and those that are left out go, unless they were answered. */
export const RequestChange = z.strictObject({
  ...requestFields,
  items: itemsOf(z.strictObject({ id: Id.optional(), ...itemFields })),
});
export type RequestChange = z.infer<typeof RequestChange>;

export const RequestsMade = z.object({ ids: z.array(Id) });

export const RequestRow = z.object({
  id: Id,
  clientId: Id,
  clientName: z.string(),
  title: z.string(),
  message: z.string(),
  dueOn: z.string().nullable(),
  state: z.enum(REQUEST_STATES),
  items: z.int(),
  /** Items that wait for the client: open, or sent back. */
  owed: z.int(),
  /** Items that wait for staff: sent, or said not to apply. */
  toReview: z.int(),
  askedByName: z.string(),
  createdAt: Instant,
  /** When people were last reminded of it by mail, and how many were then; null where nobody was, and to those who are asked. */
  reminded: z.object({ at: Instant, people: z.int() }).nullable(),
});
export type RequestRow = z.infer<typeof RequestRow>;

/** A file that was sent for an item. What was sent stays in the list, also where the file is gone. */
export const RequestFile = z.object({
  fileId: Id,
  name: z.string(),
  sentAt: Instant,
  sentByName: z.string(),
  /**
   * `gone`: deleted or filed out of the viewer's reach; `elsewhere`: filed under another client in reach. What was replaced is where the
   * file in its place is.
   */
  place: z.enum(['here', 'elsewhere', 'gone']),
});
export type RequestFile = z.infer<typeof RequestFile>;

export const RequestItem = z.object({
  id: Id,
  name: z.string(),
  note: z.string(),
  state: z.enum(ITEM_STATES),
  /** Whether the client's last answer was that it does not apply, and what it wrote to that. */
  saidNot: z.boolean(),
  answer: z.string(),
  /** Why it was sent back last; empty where it never was, or where it was accepted since. */
  reason: z.string(),
  files: z.array(RequestFile),
  version: Version,
});
export type RequestItem = z.infer<typeof RequestItem>;

export const RequestDetails = z.object({
  request: RequestRow,
  items: z.array(RequestItem),
  /** Of what `PUT` changes. */
  version: Version,
});
export type RequestDetails = z.infer<typeof RequestDetails>;

/** One request, with what the answers to acts lack. */
export const RequestPage = RequestDetails.extend({
  /** How many people of the client get reminders where mail is set up; null to those who are asked. */
  reminds: z.int().nullable(),
});
export type RequestPage = z.infer<typeof RequestPage>;

/** The day on which the viewer looks, for what is overdue by then; left out, the day in UTC. */
const today = dateOnly('Must be a date like 2026-01-31').optional();

export const RequestQuery = z.strictObject({
  limit: pageQuery.limit,
  offset: longPageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
  clientId: IdText.optional(),
  state: z.enum(REQUEST_STATES).optional(),
  /** Open requests of which the client still owes something. */
  due: z.enum(DUE_FILTERS).optional(),
  /** Open requests of which something waits for staff. */
  review: z.literal('true', { error: 'Must be true' }).optional(),
  today,
  /** By `owed`: of which the client owes something first, by due day. */
  sort: sortQuery(['dueOn', 'owed', 'createdAt', 'clientName', 'title']),
});
export type RequestQuery = z.infer<typeof RequestQuery>;

export const RequestSummaryQuery = z.strictObject({
  clientId: IdText.optional(),
  today,
  t: pageQuery.t,
  _: pageQuery._,
});
export type RequestSummaryQuery = z.infer<typeof RequestSummaryQuery>;

/** How many requests are open, and of those: late, due soon, and with something to review. */
export const RequestSummary = z.object({
  open: z.int(),
  overdue: z.int(),
  dueSoon: z.int(),
  toReview: z.int(),
  /** Items, not requests, that wait for the client. */
  owedItems: z.int(),
});
export type RequestSummary = z.infer<typeof RequestSummary>;

/** Why an item does not apply; may be empty. */
export const NotApplying = z.strictObject({ note: textLineOrNone(REQUEST_TEXT_MAX) });
export type NotApplying = z.infer<typeof NotApplying>;

/** Why an item is sent back. */
export const SendingBack = z.strictObject({
  reason: textLine({ min: 1, max: REQUEST_TEXT_MAX, message: 'Please say what is wrong' }),
});
export type SendingBack = z.infer<typeof SendingBack>;

export const ItemDecision = SendingBack.partial()
  .extend({ decision: z.enum(['accept', 'sendBack'], { error: 'Must be accept or sendBack' }) })
  .refine(({ decision, reason }) => decision === 'accept' || reason !== undefined, {
    path: ['reason'],
    error: 'Please say what is wrong',
  })
  .refine(({ decision, reason }) => decision === 'sendBack' || reason === undefined, {
    path: ['reason'],
    error: 'Only what is sent back has a reason',
  });
export type ItemDecision = z.infer<typeof ItemDecision>;

/** An item's file comes without fields: the item says where it belongs. */
export const RequestUploadFields = z.strictObject({});

export const TemplateInput = z.strictObject({
  name: textLine({ min: 1, max: REQUEST_TITLE_MAX, message: 'Please enter a name' }),
  items: itemsOf(RequestItemInput),
});
export type TemplateInput = z.infer<typeof TemplateInput>;

export const TemplateRow = z.object({
  id: Id,
  name: z.string(),
  items: z.array(z.object({ name: z.string(), note: z.string() })),
  version: Version,
});
export type TemplateRow = z.infer<typeof TemplateRow>;
