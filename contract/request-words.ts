// What clients are asked for, in words. Without schemas, so that a page that lists requests needs none.

export const REQUEST_STATES = ['open', 'done', 'closed'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

export const requestStateNames: Record<RequestState, string> = { open: 'Open', done: 'Done', closed: 'Closed' };

/** `doesNotApply` is what the client says; staff accept it or send it back as they do with files. */
export const ITEM_STATES = ['open', 'sent', 'sentBack', 'doesNotApply', 'accepted'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

export const itemStateNames: Record<ItemState, string> = {
  open: 'Open',
  sent: 'Sent',
  sentBack: 'Sent back',
  doesNotApply: 'Does not apply',
  accepted: 'Accepted',
};

/** Which of two narrower lists of open requests: those whose day is over, or near, while the client still owes something. */
export const DUE_FILTERS = ['overdue', 'soon'] as const;

/** The most items of one request or template. */
export const ITEMS_MAX = 100;
/** The most files that are sent for one item: each is a row on the page of its request. */
export const ITEM_FILES_MAX = 100;
/** The most clients that are asked at once: each gets a request of its own. */
export const CLIENTS_ASKED_MAX = 100;
export const TEMPLATES_MAX = 100;

/** In characters. */
export const REQUEST_TITLE_MAX = 200;
export const ITEM_NAME_MAX = 200;
export const REQUEST_TEXT_MAX = 500;

/** So many days before its day a request is due soon. */
export const DUE_SOON_DAYS = 3;

const DAY_MS = 86_400_000;

/** How many days are left until a day, as of the day `today`; negative where it is over. Both are YYYY-MM-DD. */
export function daysUntil(dueOn: string, today: string): number {
  return Math.round((Date.parse(dueOn) - Date.parse(today)) / DAY_MS);
}

/** The day so many days after `day`, YYYY-MM-DD. */
export function dayAfterDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** 'due in 3 days', 'due today', '4 days late'. */
export function dueWords(days: number): string {
  if (days === 0) return 'due today';
  if (days === 1) return 'due tomorrow';
  if (days > 0) return `due in ${days} days`;
  return days === -1 ? '1 day late' : `${-days} days late`;
}

/** Whether a client is reminded on a day that is so many days before the due day: 3 before, on the day, then weekly. */
export function isReminderDay(days: number): boolean {
  return days === DUE_SOON_DAYS || days === 0 || (days < 0 && days % 7 === 0);
}

export interface TemplateWords {
  readonly name: string;
  readonly items: readonly { readonly name: string; readonly note: string }[];
}

/** A start for a new firm. */
export const USUAL_TEMPLATES: readonly TemplateWords[] = [
  {
    name: 'Year-end package',
    items: [
      { name: 'Bank statements', note: 'All accounts, January to December' },
      { name: 'Payroll adjustments', note: 'Bonuses, fringe benefits and manual checks that we have not seen' },
      { name: 'Changed addresses of employees', note: 'W-2 forms are mailed to them' },
      { name: 'Forms W-9 of contractors', note: 'Everybody you paid for work who is no employee' },
      { name: 'Notices from tax agencies', note: '' },
    ],
  },
  {
    name: 'New client',
    items: [
      { name: 'IRS letter with the federal ID', note: 'Form CP 575 or 147C' },
      { name: 'State registration', note: 'Withholding and unemployment account numbers' },
      { name: 'Form 8655, signed', note: 'Reporting agent authorization' },
      { name: 'Forms W-4 of all employees', note: '' },
      { name: 'Voided check', note: 'Of the account that payroll is paid from' },
      { name: 'Payroll reports of this year', note: 'From your former provider, if there was one' },
    ],
  },
];
