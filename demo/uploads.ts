// A file of a company as it is filed: who uploads it, and when in the day.
import type { DocumentType, FileType } from '#contract/file-kinds.ts';
import { type Day, momentMs } from './calendar.ts';
import type { Company } from './companies.ts';
import type { DocumentDescriptor } from './documents/descriptor.ts';
import type { Random } from './random.ts';
import type { Person, ReportTypeName } from './staff.ts';

export interface Filing {
  readonly fileType: FileType;
  readonly reportTypeName: ReportTypeName | null;
  readonly documentType: DocumentType | null;
  readonly originalName: string;
  readonly uploadedAtMs: number;
  /** Index into the people given, who are the plan's users. */
  readonly uploaderIndex: number;
  readonly document: DocumentDescriptor;
}

/** The people who upload for a company, and when in the day. */
export class Uploaders {
  readonly #people: readonly Person[];
  readonly #company: Company;

  constructor(people: readonly Person[], company: Company) {
    this.#people = people;
    this.#company = company;
  }

  #indexesWhere(test: (person: Person) => boolean): number[] {
    return this.#people.flatMap((person, index) => (test(person) ? [index] : []));
  }

  /** Mostly the first of the company's CPAs who reaches the type; without one, an Admin. */
  ofReport(reportTypeName: ReportTypeName | null, random: Random): number {
    const staff = this.#indexesWhere(
      (person) =>
        (person.roleName === 'CPA' || person.roleName === 'Bookkeeper') &&
        person.companies.includes(this.#company.index) &&
        (reportTypeName === null || person.reportTypes.includes(reportTypeName)),
    );
    const [first] = staff;
    if (first === undefined) return 0;
    return random.chance(0.7) ? first : random.pick(staff);
  }

  /** Somebody of the client company, or its CPA where nobody there has an account. */
  ofClient(random: Random): number {
    const people = this.#indexesWhere(
      (person) => person.roleName === 'Client' && person.companies.includes(this.#company.index),
    );
    const owners = people.filter((index) => this.#people[index]?.owner);
    const [owner] = owners;
    if (owner === undefined) return this.ofReport(null, random);
    return random.chance(0.75) ? owner : random.pick(people);
  }
}

/** Office hours of the firm, as minutes after midnight UTC; a batch goes up within minutes. */
export function burst(day: Day, random: Random): () => number {
  let minutes = 14 * 60 + random.int(0, 330) + random.next();
  return () => {
    minutes += 0.4 + random.next() * 2;
    return momentMs(day, minutes);
  };
}
