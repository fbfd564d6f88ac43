// Renders the bytes of a file from its short description.
import { companyAt } from '../companies.ts';
import { filingLedgerOf, type Ledger, ledgerOf } from '../payroll.ts';
import { financialStatement, taxReturn } from './accounts.ts';
import { depositConfirmation, depositListing } from './deposit-papers.ts';
import type { DocumentDescriptor } from './descriptor.ts';
import { combined941, form940Copy, form941Copy, form941xCopy } from './federal-forms.ts';
import { letter } from './letters.ts';
import { taxNotice } from './notices.ts';
import { oddFile } from './odd-files.ts';
import { paper } from './papers.ts';
import { deductionReport, payrollSummary, stateQuarterly, taxLiability } from './period-reports.ts';
import { achText, directDeposit, payrollJournal, payrollRegister, registerCsv } from './run-reports.ts';
import { employeeEarnings, form1099Set, w2Set } from './year-end.ts';

/** Caches the payroll of the latest company: files come company by company. */
class Ledgers {
  #company = -1;
  #own: Ledger | undefined;
  #filing: Ledger | undefined;

  #turnTo(company: number): void {
    if (company === this.#company) return;
    this.#company = company;
    this.#own = undefined;
    this.#filing = undefined;
  }

  own(company: number): Ledger {
    this.#turnTo(company);
    this.#own ??= ledgerOf(companyAt(company));
    return this.#own;
  }

  filing(company: number): Ledger {
    this.#turnTo(company);
    this.#filing ??= filingLedgerOf(companyAt(company)) ?? this.own(company);
    return this.#filing;
  }
}

/** Answers the bytes of the document that a description is of. */
export type Render = (document: DocumentDescriptor) => Promise<Buffer>;

/**
 * Makes a renderer that caches the figures of one company. The same description gives the same bytes each time, on
 * every machine with the same Node.
 */
export function createRenderer(): Render {
  const ledgers = new Ledgers();
  return async (document) => {
    const { company } = document;
    switch (document.kind) {
      case 'payroll-register':
        return payrollRegister(ledgers.own(company), document);
      case 'payroll-journal':
        return payrollJournal(ledgers.own(company), document);
      case 'direct-deposit':
        return directDeposit(ledgers.own(company), document);
      case 'ach-text':
        return achText(ledgers.own(company), document);
      case 'register-csv':
        return registerCsv(ledgers.own(company), document);
      case 'deductions':
        return deductionReport(ledgers.own(company), document);
      case 'payroll-summary':
        return payrollSummary(ledgers.own(company), document);
      case 'financial-statement':
        return financialStatement(ledgers.own(company), document);
      case 'tax-return':
        return taxReturn(ledgers.own(company), document);
      case 'tax-liability':
        return taxLiability(ledgers.filing(company), document);
      case 'deposit-confirmation':
        return depositConfirmation(ledgers.filing(company), document);
      case 'deposit-listing':
        return depositListing(ledgers.filing(company), document);
      case 'state-return':
        return stateQuarterly(ledgers.filing(company), document);
      case 'form-941':
        return form941Copy(ledgers.filing(company), document);
      case 'form-941x':
        return form941xCopy(ledgers.filing(company), document);
      case 'combined-941':
        return combined941(document);
      case 'form-940':
        return form940Copy(ledgers.filing(company), document);
      case 'w2-set':
        return w2Set(ledgers.filing(company), document);
      case 'form-1099':
        return form1099Set(ledgers.filing(company), document);
      case 'employee-earnings':
        return employeeEarnings(ledgers.filing(company), document);
      case 'tax-notice':
        return taxNotice(ledgers.filing(company), document);
      case 'letter':
        return letter(companyAt(company), document);
      case 'paper':
        return paper(ledgers.own(company), document);
      default:
        return oddFile(ledgers.own(company), document);
    }
  };
}
