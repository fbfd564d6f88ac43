// What is expected of each client, and the board that shows what of it is there.
import { z } from 'zod';
import {
  boardPeriodKind,
  DUE_DAYS_MAX,
  EXPECTATIONS_AT_ONCE_MAX,
  EXPECTATIONS_OF_CLIENT_MAX,
  EXPECTED_STATES,
  FREQUENCIES,
  NOT_A_BOARD_PERIOD,
  PROPOSED_CLIENTS_MAX,
} from './completeness-words.ts';
import {
  dateOnly,
  Id,
  IdText,
  Instant,
  pageQuery,
  storedTextLine,
  TimeZone,
  Version,
  wholeNumberText,
} from './fields.ts';

const BoardPeriod = z
  .string({ error: NOT_A_BOARD_PERIOD })
  .max(9, { error: NOT_A_BOARD_PERIOD, abort: true })
  .refine((text) => boardPeriodKind(text) !== null, NOT_A_BOARD_PERIOD);

const DUE_DAYS_MESSAGE = `Must be a whole number of days up to ${DUE_DAYS_MAX}`;

const expectationFields = {
  reportTypeId: Id,
  frequency: z.enum(FREQUENCIES),
  /** How many days after the end of its period a report is due. */
  dueDays: z.int(DUE_DAYS_MESSAGE).min(0, DUE_DAYS_MESSAGE).max(DUE_DAYS_MAX, DUE_DAYS_MESSAGE),
  /**
   * The first day of the first period: nothing that ends before it is expected, and weeks are counted from it. Null: from the
   * client's start date on, and weeks from Monday to Sunday.
   */
  starts: dateOnly('Must be a date like 2026-01-31').nullable(),
};

export const ExpectationInput = z.strictObject(expectationFields);
export type ExpectationInput = z.infer<typeof ExpectationInput>;

/** All that is expected of one client, as far as the viewer reaches its report types: what is not named is expected no longer. */
export const ExpectationsInput = z.strictObject({
  expectations: z
    .array(ExpectationInput)
    .max(EXPECTATIONS_OF_CLIENT_MAX, `At most ${EXPECTATIONS_OF_CLIENT_MAX} report types can be expected of a client`)
    .refine((all) => new Set(all.map(({ reportTypeId }) => reportTypeId)).size === all.length, {
      error: 'Each report type can be expected once',
    }),
});
export type ExpectationsInput = z.infer<typeof ExpectationsInput>;

export const ExpectationRow = z.object({
  ...expectationFields,
  reportTypeName: z.string(),
  starts: z.string().nullable(),
});
export type ExpectationRow = z.infer<typeof ExpectationRow>;

/** All that is expected of one client, as far as the viewer reaches its report types, by report type. */
export const ExpectationsOfClient = z.object({ expectations: z.array(ExpectationRow), version: Version });
export type ExpectationsOfClient = z.infer<typeof ExpectationsOfClient>;

export const ClientExpectation = ExpectationInput.extend({ clientId: Id });
export type ClientExpectation = z.infer<typeof ClientExpectation>;

/** Expectations of many clients, all or none. What is expected of the same client and report type already is replaced, or skipped. */
export const ManyExpectations = z.strictObject({
  expectations: z
    .array(ClientExpectation, { error: 'There is nothing to save' })
    .min(1, 'There is nothing to save')
    .max(EXPECTATIONS_AT_ONCE_MAX, `At most ${EXPECTATIONS_AT_ONCE_MAX} expectations can be saved at once`)
    .refine((all) => new Set(all.map((one) => `${one.clientId} ${one.reportTypeId}`)).size === all.length, {
      error: 'Each report type can be expected once of each client',
    }),
  /** Leaves what is expected of the same client and report type already as it is. */
  skipExisting: z.boolean().optional(),
});
export type ManyExpectations = z.infer<typeof ManyExpectations>;

/** As much as so many expectations are written in, and some more. */
export const EXPECTATIONS_BYTES_MAX = 1024 * 1024;

/** Without those that were skipped; what was there as it was sent counts as saved. */
export const ManySaved = z.object({ saved: z.int(), clients: z.int() });
export type ManySaved = z.infer<typeof ManySaved>;

/** Whose history is looked at; without ids, everybody's of whom nothing is expected yet. */
export const ProposalRequest = z.strictObject({
  clientIds: z
    .array(Id)
    .max(PROPOSED_CLIENTS_MAX, `Proposals can be made for at most ${PROPOSED_CLIENTS_MAX} clients at once`)
    .optional(),
  /** Only those that stand behind this client by name, also where it is gone by now: `last` of the answer before. */
  after: z.strictObject({ id: Id, name: storedTextLine({ min: 1, max: 200, message: 'Must be a name' }) }).optional(),
});
export type ProposalRequest = z.infer<typeof ProposalRequest>;

/** What a client's files speak for. Nothing of it is stored. */
export const Proposal = z.object({
  clientId: Id,
  clientName: z.string(),
  ...expectationFields,
  reportTypeName: z.string(),
  starts: z.string(),
  /** How many periods of the history have a file. */
  seen: z.int(),
  /** The last of them, as files name it. */
  lastPeriod: z.string(),
});
export type Proposal = z.infer<typeof Proposal>;

export const Proposals = z.object({
  proposals: z.array(Proposal),
  /** How many clients were looked at, and whether there are more. */
  clients: z.int(),
  more: z.boolean(),
  /** The client that was looked at last, after which the others come; null where there was none. */
  last: z.object({ id: Id, name: z.string() }).nullable(),
});
export type Proposals = z.infer<typeof Proposals>;

const boardFilters = {
  /** A year, two years that follow each other, a quarter or a month; left out, the quarter that ended last (UTC). */
  period: BoardPeriod.optional(),
  clientId: IdText.optional(),
  reportTypeId: IdText.optional(),
  /** Clients with at least one report in this state. */
  state: z.enum(EXPECTED_STATES).optional(),
};

/** The most clients on one page of the board. */
const BOARD_LIMIT_MAX = 200;

export const BoardQuery = z.strictObject({
  ...boardFilters,
  limit: wholeNumberText(1, BOARD_LIMIT_MAX).optional(),
  offset: pageQuery.offset,
  t: pageQuery.t,
  _: pageQuery._,
});
export type BoardQuery = z.infer<typeof BoardQuery>;

/** Its days of delivery are those of `timeZone`. */
export const BoardExportQuery = z.strictObject({ ...boardFilters, timeZone: TimeZone.optional() });
export type BoardExportQuery = z.infer<typeof BoardExportQuery>;

/** One expected report: its period as a file names it; for pay dates, the last day of the window. */
export const ExpectedReport = z.object({
  period: z.string(),
  /** First and last day. */
  from: z.string(),
  to: z.string(),
  /** The last day on which it is not late. */
  dueOn: z.string(),
  state: z.enum(EXPECTED_STATES),
  /** When its first file came; null where none has. */
  deliveredAt: Instant.nullable(),
  /** Somebody of the client's own people has viewed or downloaded a file of it. */
  openedByClient: z.boolean(),
  /** Its newest file. */
  fileId: Id.nullable(),
});
export type ExpectedReport = z.infer<typeof ExpectedReport>;

export const BoardCell = z.object({
  reportTypeId: Id,
  reportTypeName: z.string(),
  frequency: z.enum(FREQUENCIES),
  dueDays: z.int(),
  /** That of the report that needs somebody first. */
  state: z.enum(EXPECTED_STATES),
  reports: z.array(ExpectedReport),
});
export type BoardCell = z.infer<typeof BoardCell>;

export const BoardRow = z.object({
  clientId: Id,
  clientName: z.string(),
  /** None of a client who is there for what it owes alone. */
  cells: z.array(BoardCell),
  /** The other direction: how many items of open requests the client owes the firm; null for who does not see requests. */
  owed: z.int().nullable(),
  /** The earliest due day of these, YYYY-MM-DD; null where there is none. */
  owedDueOn: z.string().nullable(),
});
export type BoardRow = z.infer<typeof BoardRow>;

export const SummaryQuery = z.strictObject(boardFilters).omit({ state: true });
export type SummaryQuery = z.infer<typeof SummaryQuery>;

/** How many reports of a period are in each state, as far as the viewer reaches; `delivered` has those opened as well. */
export const BoardSummary = z.object({
  period: z.string(),
  /** How many expectations there are, whatever the period. */
  expectations: z.int(),
  expected: z.int(),
  delivered: z.int(),
  late: z.int(),
  missing: z.int(),
});
export type BoardSummary = z.infer<typeof BoardSummary>;
