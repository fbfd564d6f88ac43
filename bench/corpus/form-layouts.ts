// Layouts of agencies: their forms, and their letters.
import { aPerson, ein, type Layout, money, people, quarterEnd, quarterOf, shownName, yearOf } from './drawing.ts';
import { Paper } from './paper.ts';

const QUARTERS = [
  'January, February, March',
  'April, May, June',
  'July, August, September',
  'October, November, December',
];

export const official941: Layout = {
  name: 'official 941, digits in boxes',
  reportType: 'Form 941',
  period: quarterOf,
  draw: (drawing) => {
    const { firm, world, random, year, quarter, noId } = drawing;
    const one = new Paper();
    one
      .put(36, 40, 'Form', 7)
      .put(58, 31, `941 for ${year}:`, 18)
      .put(166, 34, 'Employer’s QUARTERLY Federal Tax Return', 14);
    one.put(36, 52, '(Rev. March 2025)', 7).put(166, 50, 'Department of the Treasury — Internal Revenue Service', 7);
    one.put(533, 34, '950124', 10).put(511, 49, 'OMB No. 1545-0029', 7);
    one.put(43, 74, 'Employer identification number', 7).put(150, 74, '(EIN)', 7);
    if (!noId) one.boxes(180, 71, firm.ein.replace('-', ''));
    one.put(45, 97, 'Name', 7).put(67, 97, '(not your trade name)', 7).put(150, 95, firm.legal, 10);
    one
      .put(45, 121, 'Trade name', 7)
      .put(87, 121, '(if any)', 7)
      .put(150, 119, firm.tradeName ?? '', 10);
    one.put(45, 147, 'Address', 7).put(82, 140, firm.street, 9).put(82, 156, 'Number', 6).put(157, 156, 'Street', 6);
    one.put(82, 174, firm.city, 9).put(82, 186, 'City', 6).put(285, 186, 'State', 6);
    one.put(428, 66, `Report for this Quarter of ${year}`, 9).put(428, 79, '(Check one.)', 7);
    QUARTERS.forEach((months, index) => {
      one.put(439, 98 + index * 16, `${index + 1}:`, 8).put(452, 98 + index * 16, months, 8);
      if (index + 1 === quarter) one.put(427, 98 + index * 16, 'X', 8);
    });
    one.put(39, 246, 'Part 1:', 9).put(80, 247, 'Answer these questions for this quarter.', 9);
    for (let line = 0; line < 15; line += 1)
      one.put(46, 286 + line * 24, `${line + 1}`).put(500, 286 + line * 24, money(random));
    one.put(36, 745, 'For Privacy Act and Paperwork Reduction Act Notice, see separate instructions.', 7);
    one.right(745, 'Form 941 (Rev. 3-2025)', 7);
    const two = new Paper();
    two
      .put(36, 48, 'Name', 7)
      .put(58, 48, '(not your trade name)', 7)
      .put(400, 48, 'Employer identification number (EIN)', 7);
    two.put(40, 58, firm.legal, 10);
    if (!noId) two.put(410, 58, firm.ein.slice(0, 2), 10).put(433, 59, '–', 10).put(445, 58, firm.ein.slice(3), 10);
    two
      .put(39, 72, 'Part 2:', 9)
      .put(80, 72, 'Tell us about your deposit schedule and tax liability for this quarter.', 9);
    two.put(130, 132, 'semiweekly schedule depositor, attach Schedule B (Form 941). Go to Part 3.', 8);
    two.put(39, 294, 'Part 3:', 9).put(80, 294, 'Tell us about your business.', 9);
    two.put(39, 420, 'Part 4:', 9).put(80, 420, 'May we speak with your third-party designee?', 9);
    two.put(100, 440, `Designee’s name and phone number   ${world.bureau.legal}`, 8);
    two.put(39, 490, 'Part 5:', 9).put(80, 490, 'Sign here. You MUST complete both pages of Form 941 and SIGN it.', 9);
    two.put(36, 600, 'Paid Preparer Use Only', 10);
    two.put(45, 640, 'Firm’s name (or yours if self-employed)', 7).put(220, 638, world.bureau.legal, 9);
    two.put(400, 640, 'EIN', 7).put(430, 638, world.bureau.ein, 9);
    two.put(36, 745, 'Page 2', 7).right(745, 'Form 941 (Rev. 3-2025)', 7);
    return [one.page(random.int(0, 40)), two.page(random.int(0, 20))];
  },
};

export const form940: Layout = {
  name: '940',
  reportType: 'Form 940',
  period: yearOf,
  draw: (drawing) => {
    const { firm, random, year, noId } = drawing;
    const one = new Paper();
    one
      .put(36, 40, 'Form', 7)
      .put(58, 31, `940 for ${year}:`, 18)
      .put(190, 34, 'Employer’s Annual Federal Unemployment (FUTA) Tax Return', 11);
    one.put(43, 80, 'Employer identification number (EIN)', 7);
    if (!noId) one.boxes(190, 76, firm.ein.replace('-', ''), 14);
    one.put(45, 103, 'Name (not your trade name)', 7).put(160, 101, firm.legal, 10);
    if (firm.tradeName !== undefined) one.put(45, 127, 'Trade name (if any)', 7).put(160, 125, firm.tradeName, 10);
    for (let line = 0; line < 12; line += 1)
      one.put(46, 286 + line * 24, `${line + 1}`).put(500, 286 + line * 24, money(random));
    const two = new Paper();
    two
      .put(36, 48, 'Name (not your trade name)', 7)
      .put(40, 58, firm.legal, 10)
      .put(400, 48, 'Employer identification number (EIN)', 7)
      .put(410, 58, ein(drawing), 10);
    two
      .put(39, 80, 'Part 5:', 9)
      .put(80, 80, 'Report your FUTA tax liability by quarter only if line 12 is more than $500.', 9);
    two.put(36, 745, 'Page 2', 7);
    return [one.page(random.int(0, 20)), two.page()];
  },
};

export const w2: Layout = {
  name: 'W-2, two to a page',
  reportType: 'W-2 / W-3',
  period: yearOf,
  draw: (drawing) => {
    const { firm, random, year } = drawing;
    return Array.from({ length: random.int(1, 4) }, () => {
      const paper = new Paper();
      for (const top of [30, 420]) {
        paper
          .put(50, top, '22222', 10)
          .put(164, top, 'a Employee’s social security number', 7)
          .put(200, top + 10, `9${random.digits(2)}-${random.digits(2)}-${random.digits(4)}`, 9);
        paper.put(41, top + 24, 'b Employer identification number (EIN)', 7).put(60, top + 34, ein(drawing), 9);
        paper
          .put(339, top + 24, '1 Wages, tips, other compensation', 7)
          .put(380, top + 34, money(random), 9)
          .put(461, top + 24, '2 Federal income tax withheld', 7);
        paper.put(41, top + 48, 'c Employer’s name, address, and ZIP code', 7).put(50, top + 59, firm.legal, 9);
        if (firm.tradeName !== undefined) paper.put(50, top + 71, firm.tradeName, 9);
        paper.put(50, top + 83, firm.street, 9).put(50, top + 95, firm.city, 9);
        paper
          .put(41, top + 130, 'e Employee’s first name and initial   Last name', 7)
          .put(50, top + 142, aPerson(random), 9);
        paper
          .put(41, top + 220, '15 State   Employer’s state ID number', 7)
          .put(60, top + 230, `OH   ${random.digits(2)}-${random.digits(7)}`, 9);
        paper
          .put(41, top + 300, 'Form', 7)
          .put(62, top + 292, 'W-2', 18)
          .put(120, top + 296, 'Wage and Tax Statement', 11)
          .put(290, top + 292, `${year}`, 18);
        paper.put(400, top + 300, 'Department of the Treasury—Internal Revenue Service', 6);
      }
      return paper.page(random.int(0, 30));
    });
  },
};

export const form1099: Layout = {
  name: '1099-NEC',
  reportType: '1099-NEC / 1096',
  period: yearOf,
  draw: (drawing) => {
    const { firm, random, year } = drawing;
    return Array.from({ length: random.int(1, 3) }, () => {
      const paper = new Paper();
      paper
        .put(40, 40, 'PAYER’S name, street address, city or town, state, ZIP code, and telephone no.', 6)
        .put(50, 50, shownName(drawing), 9);
      paper.put(50, 62, firm.street, 9).put(50, 74, firm.city, 9);
      paper
        .put(430, 40, 'OMB No. 1545-0116', 6)
        .put(430, 60, `Form 1099-NEC`, 9)
        .put(430, 72, `${year}`, 16)
        .put(500, 60, 'Nonemployee', 12)
        .put(500, 74, 'Compensation', 12);
      paper
        .put(40, 130, 'PAYER’S TIN', 6)
        .put(50, 140, ein(drawing), 9)
        .put(200, 130, 'RECIPIENT’S TIN', 6)
        .put(210, 140, `***-**-${random.digits(4)}`, 9);
      paper.put(40, 170, 'RECIPIENT’S name', 6).put(50, 180, aPerson(random), 9);
      paper.put(300, 170, '1 Nonemployee compensation', 6).put(310, 180, money(random), 9);
      return paper.page(random.int(0, 12));
    });
  },
};

export const stateForm: Layout = {
  name: 'state quarterly',
  reportType: 'State Quarterly (withholding, SUTA)',
  period: quarterOf,
  draw: (drawing) => {
    const { firm, world, random } = drawing;
    const paper = new Paper();
    const [code, title, agency] = random.pick([
      [
        'NYS-45',
        'Quarterly Combined Withholding, Wage Reporting, and Unemployment Insurance Return',
        'Department of Taxation and Finance',
      ],
      [
        'DE 9C',
        'Quarterly Contribution Return and Report of Wages (Continuation)',
        'Employment Development Department',
      ],
      ['UC-2', 'Employer’s Report for Unemployment Compensation', 'Department of Labor and Industry'],
    ] as const);
    paper.put(36, 34, code, 18).put(130, 34, title, 10).put(130, 48, agency, 7);
    paper
      .put(36, 80, 'QUARTER ENDED', 6)
      .put(36, 88, ['03/31/', '06/30/', '09/30/', '12/31/'][drawing.quarter - 1] + String(drawing.year), 9);
    paper.put(200, 80, 'FEDERAL EMPLOYER ID NO.', 6).put(200, 88, ein(drawing), 9);
    paper.put(360, 80, 'STATE EMPLOYER ACCOUNT NUMBER', 6).put(360, 88, firm.stateId, 9);
    paper
      .put(36, 110, 'EMPLOYER NAME', 6)
      .put(36, 118, firm.legal, 9)
      .put(300, 110, 'TRADE NAME', 6)
      .put(300, 118, firm.tradeName ?? '', 9);
    people(paper, drawing, 180, 20);
    paper
      .put(36, 640, 'Paid preparer use only', 8)
      .put(36, 655, world.bureau.legal, 8)
      .put(300, 655, world.bureau.ein, 8);
    return [paper.page(random.int(0, 30))];
  },
};

export const notice: Layout = {
  name: 'tax notice',
  reportType: 'Tax Notice',
  period: quarterOf,
  draw: (drawing) => {
    const { firm, random, year } = drawing;
    const code = random.pick(['CP134B', 'CP14', 'CP259', 'CP504', 'CP136']);
    const one = new Paper();
    one
      .put(58, 40, 'Department of the Treasury', 8)
      .put(58, 51, 'Internal Revenue Service', 13)
      .put(58, 68, 'Cincinnati OH 45999', 8);
    [
      ['Notice', code],
      ['Tax period', quarterEnd(drawing)],
      ['Notice date', `July 7, ${year + 1}`],
      ['Employer ID number', ein(drawing)],
      ['To contact us', '800-555-0139'],
    ].forEach(([label = '', value = ''], index) => {
      one.put(360, 40 + index * 14, label, 8).put(470, 40 + index * 14, value, 8);
    });
    one.right(112, 'Page 1 of 2', 8);
    [
      firm.legal.toUpperCase(),
      ...(firm.tradeName === undefined ? [] : [firm.tradeName.toUpperCase()]),
      firm.street.toUpperCase(),
      firm.city.toUpperCase(),
    ]
      .filter((line) => line !== '')
      .forEach((line, index) => {
        one.put(78, 150 + index * 12, line, 9);
      });
    one.put(58, 250, 'Your federal tax deposits do not match your return', 15);
    one.put(
      58,
      280,
      `Our records show an unpaid balance of $1,${random.digits(3)}.00 on your Form 941. Pay the amount due to`,
      10,
    );
    one.put(
      58,
      294,
      'avoid additional penalty and interest charges. You may have to file Form 941-X or a Form 940.',
      10,
    );
    const two = new Paper();
    two
      .put(360, 40, 'Notice', 8)
      .put(470, 40, code, 8)
      .put(360, 54, 'Employer ID number', 8)
      .put(470, 54, ein(drawing), 8);
    two.right(70, 'Page 2 of 2', 8);
    two
      .put(58, 120, 'What you need to do', 12)
      .put(58, 140, 'Write the notice number on everything you send. If you agree, pay now.', 10);
    return [one.page(random.int(0, 20)), two.page()];
  },
};
