// When and under which number a company's federal tax deposits settle: the same in file names and in the documents.
import { businessDayOnOrAfter, type Day, dayOf, weekdayOf } from './calendar.ts';
import type { Company } from './companies.ts';
import { createRandom } from './random.ts';

/** The acknowledgement number of the deposit that settled on `day`. */
export function depositNumber(company: Company, day: Day): string {
  return `270${createRandom('deposit', company.fileCode, day).digits(12)}`;
}

/** The day a monthly depositor pays the taxes of `month`. */
export function depositDay(year: number, month: number): Day {
  return businessDayOnOrAfter(dayOf(year, month + 1, 15));
}

/** The day a semiweekly depositor pays the taxes of `checkDay`: Wednesday to Friday by the next Wednesday, else by Friday. */
export function semiweeklyDepositDay(checkDay: Day): Day {
  const weekday = weekdayOf(checkDay);
  const target = weekday >= 3 && weekday <= 5 ? 3 : 5;
  let day = checkDay + 1;
  while (weekdayOf(day) !== target) day += 1;
  return day;
}
