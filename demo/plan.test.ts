// The plan of the demo firm: always the same, valid by the contract, and with figures that tie out where they should.
import { describe, expect, it } from 'vitest';
import { ClientInput } from '#contract/clients.ts';
import { UploadFields } from '#contract/files.ts';
import { userCreate } from '#contract/users.ts';
import { cleanFileName } from '#server/platform/blobs/clean-file-name.ts';
import { ANCHOR_DAY, businessDayBefore, dayOfMoment, lastDayOfQuarter, yearOf } from './calendar.ts';
import { COMPANIES, companyAt, companyByCode } from './companies.ts';
import { sumOf } from './money.ts';
import { filingLedgerOf, ledgerOf, runsOfQuarter, runsOfYear } from './payroll.ts';
import { ANCHOR_MS, type PlannedFile, planFirm } from './plan.ts';
import { finishedQuarters, form940, form941, formsW2, fullFutaCents, stateReturn } from './returns.ts';

const plan = planFirm('full');
const small = planFirm('small');

const clientNamed = (part: string) => plan.clients.filter((client) => client.name.includes(part));
const userNamed = (username: string) => {
  const user = plan.users.find((candidate) => candidate.username === username);
  if (user === undefined) throw new Error(`The plan has no ${username}`);
  return user;
};

describe('the plan', () => {
  it('is the same each time', () => {
    expect(JSON.stringify(planFirm('full'))).toBe(JSON.stringify(plan));
    expect(JSON.stringify(planFirm('small'))).toBe(JSON.stringify(small));
  });

  it('is a firm of its declared size', () => {
    expect(plan.clients).toHaveLength(40);
    expect(plan.reportTypes).toHaveLength(14);
    expect(plan.files.length).toBeGreaterThan(4800);
    expect(plan.files.length).toBeLessThan(5600);
    expect(plan.users.filter((user) => user.roleName === 'Client' && !user.former).length).toBeGreaterThan(55);
    expect(small.clients).toHaveLength(6);
    expect(small.files.length).toBeGreaterThan(50);
    expect(small.files.length).toBeLessThan(100);
    for (const name of plan.reportTypes) {
      expect(
        plan.files.some((file) => file.reportTypeName === name),
        name,
      ).toBe(true);
    }
  });

  it('has somebody of every role, a CPA with 15 clients and an owner of five companies', () => {
    expect([...new Set(plan.users.map((user) => user.roleName))].sort()).toEqual([
      'Admin',
      'Auditor',
      'Bookkeeper',
      'CPA',
      'Client',
    ]);
    expect(userNamed('r.okafor').clientIndexes).toHaveLength(15);
    expect(userNamed('m.voss').clientIndexes.map((index) => plan.clients[index]?.name)).toEqual([
      'Voss Car Wash LLC',
      'Voss Coin Laundry LLC',
      'Voss Self Storage LLC',
      'Voss Property Management LLC',
      'Voss & Daughters Catering LLC',
    ]);
    expect(new Set(plan.users.map((user) => user.username)).size).toBe(plan.users.length);
  });

  it('has near twins, one EIN behind two clients, a client that left and one that was merged', () => {
    expect(clientNamed('Acme Plumbing').map((client) => client.name)).toEqual([
      'Acme Plumbing LLC',
      'Acme Plumbing of Ohio Inc.',
    ]);
    const [cafe, inn] = clientNamed('Larkspur');
    expect(inn?.federalId).toBe(cafe?.federalId);
    expect(new Set(plan.clients.map((client) => client.federalId)).size).toBe(plan.clients.length - 1);
    for (const fileCode of ['TidewaterMarine', 'FernhollowDental']) {
      const { index, endDay } = companyByCode(fileCode);
      const reports = plan.files.filter((file) => file.clientIndex === index && file.fileType === 'report');
      expect(reports.length).toBeGreaterThan(20);
      expect(Math.max(...reports.map((file) => dayOfMoment(file.uploadedAtMs)))).toBeLessThan((endDay ?? 0) + 240);
    }
    expect(plan.users.filter((user) => user.former).map((user) => user.clientIndexes)).toEqual([
      [companyByCode('TidewaterMarine').index],
    ]);
  });

  it('would be accepted by the contract, field by field, and names nobody real', () => {
    for (const { createdAtMs: _, ...client } of plan.clients) {
      expect(ClientInput.parse(client)).toEqual(client);
      expect(client.federalId).toMatch(/^0[0789]-\d{7}$/);
      expect(client.phone).toMatch(/^\(\d{3}\)-555-01\d\d$/);
      expect(client.email).toMatch(/[@.]example\.com$/);
    }
    for (const user of plan.users) {
      const { username, fullName } = user;
      expect(
        userCreate('standard').safeParse({ username, fullName, roleId: 1, password: plan.password }).error,
      ).toBeUndefined();
    }
    for (const { originalName, fileType, documentType, reportTypeName } of plan.files) {
      expect(cleanFileName(originalName)).toBe(originalName);
      const fields = {
        clientId: '1',
        fileType,
        ...(documentType === null ? {} : { documentType }),
        ...(reportTypeName === null ? {} : { reportTypeId: '1' }),
      };
      expect(UploadFields.safeParse(fields).error, originalName).toBeUndefined();
    }
    const longest = plan.files.reduce((best, file) => Math.max(best, file.originalName.length), 0);
    expect(longest).toBe(120);
  });

  it('says of people and roles in its log what the product writes of them', () => {
    const details = plan.activity.map((entry) => entry.details);
    expect(details).toEqual(
      expect.arrayContaining([
        'Changed permissions of role: Bookkeeper, granted "Upload reports", "Upload company documents"',
        'Changed permissions of role: Auditor, granted "Read all activity", sees everything',
        'Created user: r.okafor, role CPA',
        expect.stringMatching(/^Updated user: \S+, mail address changed$/),
      ]),
    );
    expect(details.filter((words) => /^(Created|Updated) user: \S+$/.test(words))).toEqual([]);
  });

  it('has each file uploaded by somebody who reaches the client, and nothing after its last day', () => {
    for (const file of plan.files) {
      const uploader = plan.users[file.uploaderIndex];
      const reaches = uploader?.roleName === 'Admin' || uploader?.clientIndexes.includes(file.clientIndex);
      expect(reaches, file.originalName).toBe(true);
      if (uploader?.roleName === 'Client') expect(file.fileType).toBe('company_document');
    }
    const times = plan.activity.map((entry) => entry.atMs);
    expect(Math.max(...times)).toBeLessThanOrEqual(ANCHOR_MS);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(plan.files.at(-1)?.uploadedAtMs).toBeGreaterThan(ANCHOR_MS - 2 * 86_400_000);
  });

  it('sends registers the day before the checks, and sees most of them opened within two days', () => {
    const registers = plan.files.filter((file) => file.document.kind === 'payroll-register');
    const checkDayOf = (file: PlannedFile) => {
      const { document } = file;
      return document.kind === 'payroll-register' ? runsByCompany(document.company)[document.run]?.checkDay : undefined;
    };
    const early = registers.filter(
      (file) => dayOfMoment(file.uploadedAtMs) === businessDayBefore(checkDayOf(file) ?? 0),
    );
    expect(early.length / registers.length).toBeGreaterThan(0.9);

    const opened = new Set<number>();
    for (const { action, fileIndex, atMs } of plan.activity) {
      if (fileIndex === null || (action !== 'view' && action !== 'download')) continue;
      opened.add(fileIndex);
      const waitedMs = atMs - (plan.files[fileIndex]?.uploadedAtMs ?? 0);
      expect(waitedMs).toBeGreaterThan(0);
      expect(waitedMs).toBeLessThan(49 * 3_600_000);
    }
    const share = opened.size / plan.files.length;
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(0.9);
    const uploads = plan.activity.filter((entry) => entry.action === 'upload' && entry.fileIndex !== null);
    expect(uploads).toHaveLength(plan.files.length);
  });
});

const ledgers = new Map(COMPANIES.map((company) => [company.index, ledgerOf(company)]));
const runsByCompany = (company: number) => ledgers.get(company)?.runs ?? [];

describe('the figures', () => {
  const filings = COMPANIES.flatMap((company) => filingLedgerOf(company) ?? []);

  it('make the registers of a quarter add up to line 2 of its Form 941, except for two intended deviations', () => {
    const deviations: string[] = [];
    for (const filing of filings) {
      const members = COMPANIES.filter(
        (company) => company.index === filing.company.index || company.einOf === filing.company.fileCode,
      );
      for (const { year, quarter } of finishedQuarters(filing, ANCHOR_DAY)) {
        const form = form941(filing, year, quarter);
        const registers = members.flatMap((company) => runsOfQuarter(ledgerOf(company), year, quarter));
        const difference = form.line2WagesCents - sumOf(registers, (run) => run.totals.grossCents);
        if (difference !== 0) deviations.push(`${filing.company.fileCode} ${year}Q${quarter} ${difference}`);
        expect(form.line6Cents + form.line7Cents).toBe(form.line12Cents);
        expect(form.line5aTaxCents).toBe(Math.round(form.line2WagesCents * 0.124));
        expect(Math.abs(form.line7Cents)).toBeLessThan(100);
        expect(form.line12Cents + form.line15OverpaidCents).toBe(form.line13DepositsCents);
        expect(sumOf(form.monthLiabilityCents, (cents) => cents)).toBe(form.line12Cents);
        expect(sumOf(form.dayLiabilities, ({ cents }) => cents)).toBe(form.line12Cents);
      }
    }
    expect(deviations).toEqual(['GraniteRidgeRoofing 2025Q2 3', 'BluestemVeterinary 2025Q3 -120000']);
  });

  it('make four Forms 941 add up to the W-3, but for the same two', () => {
    const deviations: string[] = [];
    for (const filing of filings) {
      for (const year of [2024, 2025]) {
        if (runsOfYear(filing, year).length === 0) continue;
        const quarters = [1, 2, 3, 4].map((quarter) => form941(filing, year, quarter));
        const forms = formsW2(filing, year);
        const wages = sumOf(quarters, (form) => form.line2WagesCents) - sumOf(forms, ({ totals }) => totals.grossCents);
        if (wages !== 0) deviations.push(`${filing.company.fileCode} ${year} ${wages}`);
      }
    }
    expect(deviations).toEqual(['GraniteRidgeRoofing 2025 3', 'BluestemVeterinary 2025 -120000']);
    const amended = form941(ledgerOf(companyByCode('BluestemVeterinary')), 2025, 3, true);
    expect(amended.line12Cents).toBe(amended.line13DepositsCents);
  });

  it('make Form 940 come to 0.6 % of 7,000.00 for each employee', () => {
    for (const filing of filings) {
      for (const year of [2024, 2025]) {
        if (runsOfYear(filing, year).length === 0) continue;
        const form = form940(filing, year);
        expect(form.line8TaxCents).toBe(fullFutaCents(form.employees));
        expect(sumOf(form.quarterLiabilityCents, (cents) => cents)).toBe(form.line8TaxCents);
      }
    }
    expect(form940(ledgerOf(companyByCode('HarborPineBakery')), 2025)).toMatchObject({
      employees: 12,
      line7TaxableCents: 8_400_000,
      line8TaxCents: 50_400,
    });
  });

  it('make every paycheck add up, and state returns agree with the federal ones', () => {
    for (const { company, runs } of ledgers.values()) {
      for (const { lines, totals, checkDay } of runs) {
        for (const line of lines) {
          expect(line.grossCents).toBe(line.regularCents + line.overtimeCents + line.bonusCents);
          expect(line.netCents).toBeGreaterThan(0);
        }
        const withheld = totals.federalCents + totals.socialSecurityCents + totals.medicareCents + totals.stateCents;
        expect(totals.netCents + totals.deductionCents + withheld).toBe(totals.grossCents);
        expect(checkDay).toBeGreaterThanOrEqual(company.startDay);
      }
    }
    const filing = ledgerOf(companyByCode('KestrelHomeHealth'));
    const figures = stateReturn(filing, 2026, 1);
    expect(figures.wagesCents).toBe(form941(filing, 2026, 1).line2WagesCents);
    expect(figures.taxableCents + figures.overBaseCents).toBe(figures.wagesCents);
  });

  it('are on returns that are filed after their period ended', () => {
    for (const { document } of plan.files) {
      if (!('quarter' in document) || document.kind === 'tax-notice') continue;
      expect(document.preparedDay).toBeGreaterThan(lastDayOfQuarter(document.year, document.quarter));
    }
    const w2 = plan.files.find((file) => file.document.kind === 'w2-set');
    expect(w2 && yearOf(w2.document.preparedDay)).toBe(2025);
    expect(companyAt(0).name).toBe('Harbor & Pine Bakery LLC');
  });
});
