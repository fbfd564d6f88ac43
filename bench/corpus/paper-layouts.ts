// Layouts that are hard on readers: headings in spaced letters, days in words, labels that are sentences, tables that go on over pages.
import { type Drawing, dayOf, ein, type Layout, money, payDay, people, quarterOf, shownName } from './drawing.ts';
import { Paper } from './paper.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The pay day as programs and people write it. */
function writtenDay(drawing: Drawing): string {
  const [, iso] = payDay(drawing);
  const [year = '', month = '', day = ''] = iso.split('-');
  const name = MONTHS[Number(month) - 1] ?? '';
  const weekday = new Date(`${iso}T00:00:00Z`).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
  return drawing.random.pick([
    `${name} ${Number(day)}, ${year}`,
    `${weekday}, ${name} ${Number(day)}, ${year}`,
    `${name.slice(0, 3)} ${day}, ${year}`,
    `${day}-${name.slice(0, 3)}-${year}`,
    `${day}${name.slice(0, 3).toUpperCase()}${year}`,
    `${name} ${Number(day)}th, ${year}`,
    `${month} / ${day} / ${year}`,
    `${Number(month)}/${Number(day)}/${year.slice(2)}`,
    iso,
  ]);
}

export const spacedJournal: Layout = {
  name: 'journal, spaced heading, day in words, last page says so',
  reportType: 'Payroll Journal',
  period: dayOf,
  draw: (drawing) => {
    const { random } = drawing;
    const pages = random.int(1, 3);
    const day = writtenDay(drawing);
    return Array.from({ length: pages }, (_, index) => {
      const paper = new Paper(792, 612);
      if (index === 0) {
        paper
          .put(300, 28, 'P A Y R O L L   J O U R N A L', 10)
          .put(30, 46, shownName(drawing).toUpperCase(), 9)
          .put(400, 46, drawing.noId ? '' : `FEIN: ${drawing.firm.ein}`, 9)
          .put(30, 60, `Check Date: ${day}`, 9)
          .put(30, 74, `Pay Period: 02/01/${drawing.year} - 02/13/${drawing.year}`, 9)
          .put(400, 60, `Run Date: 02/15/${drawing.year}`, 9)
          .row(94, [
            [36, 'Employee'],
            [190, 'SSN'],
            [300, 'Hours'],
            [380, 'Gross'],
            [470, 'Net'],
          ]);
      }
      people(paper, drawing, index === 0 ? 110 : 36, random.int(8, 26));
      if (index === pages - 1) paper.put(330, 560, '*** end of report ***', 8);
      return paper.page();
    });
  },
};

export const longRegister: Layout = {
  name: 'register, later pages with the bureau and the table alone',
  reportType: 'Payroll Register',
  period: dayOf,
  draw: (drawing) => {
    const { random, world } = drawing;
    const pages = random.int(2, 5);
    const day = writtenDay(drawing);
    return Array.from({ length: pages }, (_, index) => {
      const paper = new Paper(792, 612);
      paper.put(36, 24, `Prepared by ${world.bureau.legal}`, 8).right(24, `Page ${index + 1}`, 8);
      if (index === 0) {
        paper.put(36, 42, shownName(drawing), 12).put(480, 40, 'Payroll Register', 14);
        if (!drawing.noId) paper.put(36, 58, `Federal ID: ${ein(drawing)}`, 8);
        paper.put(330, 58, 'Check Date', 8).put(390, 58, day, 8);
      }
      paper.row(80, [
        [36, 'Employee'],
        [190, 'SSN'],
        [300, 'Hours'],
        [380, 'Gross'],
        [470, 'Net'],
      ]);
      people(paper, drawing, 96, random.int(8, 32));
      return paper.page();
    });
  },
};

export const runLiability: Layout = {
  name: 'liability of a run, label as a sentence',
  reportType: 'Tax Liability',
  period: quarterOf,
  draw: (drawing) => {
    const { firm, random, year, quarter } = drawing;
    const paper = new Paper();
    paper
      .put(36, 36, 'Tax Liability Report', 14)
      .put(
        36,
        58,
        `${quarter === 1 ? '1st' : quarter === 2 ? '2nd' : quarter === 3 ? '3rd' : '4th'} Quarter ${year}`,
        9,
      );
    paper.put(36, 76, `Liability for payroll dated ${writtenDay(drawing)}`, 9);
    paper.put(300, 36, firm.legal, 10);
    if (!drawing.noId) paper.put(300, 50, `EIN ${firm.ein}`, 9);
    for (let line = 0; line < 12; line += 1)
      paper.put(36, 110 + line * 16, 'Federal Withholding', 8).put(300, 110 + line * 16, money(random), 8);
    return [paper.page()];
  },
};

const monthOf = ({ year, quarter }: Drawing) => `${year}-${String(quarter * 3).padStart(2, '0')}`;

export const monthlyJournal: Layout = {
  name: 'journal of a month, without a pay date',
  reportType: 'Payroll Journal',
  period: monthOf,
  draw: (drawing) => {
    const { random } = drawing;
    const [year = '', month = ''] = monthOf(drawing).split('-');
    const name = MONTHS[Number(month) - 1] ?? '';
    const last = ['06', '09'].includes(month) ? '30' : '31';
    const line = random.pick([
      `For the month of ${name} ${year}`,
      `Period: ${month}/${year}`,
      `Month ending ${month}/${last}/${year}`,
      `Period: ${month}/01/${year} - ${month}/${last}/${year}`,
      `${name} ${year}`,
    ]);
    const pages = random.int(1, 3);
    return Array.from({ length: pages }, (_, index) => {
      const paper = new Paper(792, 612);
      paper
        .put(36, 30, shownName(drawing), 12)
        .put(480, 30, 'Payroll Journal', 14)
        .put(480, 48, line, 9)
        .right(48, `Page ${index + 1} of ${pages}`, 8);
      if (!drawing.noId) paper.put(36, 48, `Federal ID: ${ein(drawing)}`, 8);
      paper.row(80, [
        [36, 'Employee'],
        [190, 'SSN'],
        [300, 'Hours'],
        [380, 'Gross'],
        [470, 'Net'],
      ]);
      people(paper, drawing, 96, random.int(8, 26));
      return paper.page();
    });
  },
};
