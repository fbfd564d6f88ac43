// Layouts of payroll programs and banks: what they print for each run and quarter.
import { dayOf, ein, type Layout, money, payDay, people, quarterOf, shownName } from './drawing.ts';
import { Paper } from './paper.ts';

export const journal: Layout = {
  name: 'payroll journal, fixed pitch',
  reportType: 'Payroll Journal',
  period: dayOf,
  draw: (drawing) => {
    const { firm, random } = drawing;
    const pages = random.int(1, 3);
    return Array.from({ length: pages }, (_, index) => {
      const paper = new Paper(792, 612);
      const code = String(1000 + firm.id);
      paper.put(
        30,
        30,
        `${code}   ${shownName(drawing).toUpperCase()}      PAYROLL JOURNAL      PAGE ${index + 1} OF ${pages}`,
        8,
      );
      paper.put(
        30,
        42,
        `CHECK DATE: ${payDay(drawing)[0]}    PERIOD: 02/01/${drawing.year} - 02/13/${drawing.year}`,
        8,
      );
      if (!drawing.noId) paper.put(30, 54, `FEIN: ${firm.ein}    STATE ID: ${firm.stateId}`, 8);
      paper.put(30, 74, 'EMPLOYEE               HOURS        GROSS        FED WH       NET PAY', 8);
      people(paper, drawing, 90, random.int(10, 30));
      return paper.page();
    });
  },
};

export const register: Layout = {
  name: 'payroll register',
  reportType: 'Payroll Register',
  period: dayOf,
  draw: (drawing) => {
    const { random } = drawing;
    const pages = random.int(1, 4);
    return Array.from({ length: pages }, (_, index) => {
      const paper = new Paper(792, 612);
      paper
        .put(36, 30, shownName(drawing), 12)
        .put(480, 30, 'Payroll Register', 14)
        .right(32, `Page ${index + 1}`, 8);
      if (!drawing.noId) paper.put(36, 46, `Federal ID: ${ein(drawing)}`, 8);
      paper.put(330, 48, 'Check Date', 8).put(390, 48, payDay(drawing)[0], 8);
      paper.row(80, [
        [36, 'Employee'],
        [190, 'SSN'],
        [300, 'Hours'],
        [380, 'Gross'],
        [430, 'Direct Deposit'],
        [520, 'Deductions'],
      ]);
      people(paper, drawing, 96, random.int(8, 32));
      return paper.page(random.int(0, 9));
    });
  },
};

export const deposit: Layout = {
  name: 'deposit confirmation with its bank',
  reportType: 'Deposit Confirmation (EFTPS)',
  period: dayOf,
  draw: (drawing) => {
    const { world, random } = drawing;
    const paper = new Paper();
    paper
      .put(54, 48, 'EFTPS', 20)
      .put(54, 72, 'Electronic Federal Tax Payment System', 10)
      .put(54, 100, 'Deposit Confirmation', 15);
    [
      ['EFT acknowledgement number', random.digits(15)],
      ['Taxpayer EIN', ein(drawing)],
      ['Taxpayer name', shownName(drawing)],
      ['Tax form', '941 Employers Federal Tax'],
      ['Tax period', `Q${drawing.quarter}/${drawing.year}`],
      ['Settlement date', payDay(drawing)[0]],
      ['Bank name', world.bank.legal],
      ['Routing number', `0${random.digits(8)}`],
      ['Payment amount', `$${money(random)}`],
    ].forEach(([label = '', value = ''], index) => {
      paper.put(54, 150 + index * 19, label, 9).put(220, 150 + index * 19, value, 9);
    });
    return [paper.page(random.int(0, 12))];
  },
};

export const summary: Layout = {
  name: 'summary, bureau in every footer',
  reportType: 'Payroll Summary',
  period: quarterOf,
  draw: (drawing) => {
    const { world, random, year, quarter } = drawing;
    const pages = random.int(1, 2);
    return Array.from({ length: pages }, (_, index) => {
      const paper = new Paper();
      paper.put(36, 36, 'Payroll Summary', 16).put(36, 56, `Quarter ${quarter}, ${year}`, 9);
      paper.put(36, 76, shownName(drawing), 11).put(36, 90, drawing.firm.street, 8);
      if (!drawing.noId) paper.put(36, 104, `EIN ${drawing.firm.ein}`, 8);
      paper.put(36, 140, 'Earnings', 9).put(36, 260, 'Tax Liability', 9).put(36, 380, 'Deductions & Garnishments', 9);
      for (let line = 0; line < 20; line += 1)
        paper.put(60, 154 + line * 20, 'Regular pay', 8).put(400, 154 + line * 20, money(random), 8);
      paper
        .put(36, 770, `${world.bureau.legal}  ·  EIN ${world.bureau.ein}  ·  (614)-555-0139`, 7)
        .right(770, `Page ${index + 1} of ${pages}`, 7);
      return paper.page();
    });
  },
};

export const scanned: Layout = {
  name: 'scanned page without text',
  reportType: null,
  period: () => null,
  draw: () => [new Paper().page()],
};

export const liability: Layout = {
  name: 'tax liability, long names cut',
  reportType: 'Tax Liability',
  period: quarterOf,
  draw: (drawing) => {
    const { firm, random, year, quarter } = drawing;
    const paper = new Paper();
    paper
      .put(36, 36, 'Company:', 8)
      .put(90, 36, firm.tradeName ?? firm.legal.slice(0, 30), 8)
      .put(300, 36, 'Tax Liability Report', 8)
      .right(36, 'Page 1 of 1', 8);
    paper.put(36, 50, 'Fed ID:', 8).put(90, 50, ein(drawing), 8).put(300, 50, `Q${quarter} ${year}`, 8);
    for (let line = 0; line < 12; line += 1)
      paper.put(36, 90 + line * 16, 'Federal Withholding', 8).put(300, 90 + line * 16, money(random), 8);
    return [paper.page()];
  },
};

export const directDeposit: Layout = {
  name: 'direct deposit, company in the middle',
  reportType: 'Direct Deposit / ACH',
  period: dayOf,
  draw: (drawing) => {
    const { random } = drawing;
    const paper = new Paper();
    const name = shownName(drawing);
    paper.put(306 - name.length * 3, 30, name, 12).put(230, 50, 'Direct Deposit Register', 13);
    paper.put(210, 70, `Pay Date: ${payDay(drawing)[0]}   EIN: ${ein(drawing)}`, 9);
    people(paper, drawing, 100, random.int(6, 24));
    return [paper.page(random.int(0, 9))];
  },
};
