// The states the demo's companies pay in: names of forms, rates and the look of state account numbers, simplified.
import type { Random } from './random.ts';

export interface State {
  readonly name: string;
  /** What the combined quarterly return is called in file names and titles. */
  readonly formName: string;
  readonly fileToken: string;
  readonly agency: string;
  /** Flat withholding in parts of 10,000; 0 where the state has no income tax. */
  readonly withholdingRate: number;
  /** Unemployment tax is due on each employee's wages up to here, in cents a year. */
  readonly unemploymentBaseCents: number;
  readonly accountNumber: (random: Random) => string;
}

const STATES = {
  CA: {
    name: 'California',
    formName: 'DE 9C',
    fileToken: 'CA_DE9C',
    agency: 'Employment Development Department',
    withholdingRate: 412,
    unemploymentBaseCents: 700_000,
    accountNumber: (random) => `${random.digits(3)}-${random.digits(4)}-${random.digits(1)}`,
  },
  CO: {
    name: 'Colorado',
    formName: 'DR 1094 / UITR-1',
    fileToken: 'CO_UITR1',
    agency: 'Department of Labor and Employment',
    withholdingRate: 425,
    unemploymentBaseCents: 2_720_000,
    accountNumber: (random) => `${random.digits(8)}-${random.digits(3)}`,
  },
  FL: {
    name: 'Florida',
    formName: 'RT-6',
    fileToken: 'FL_RT6',
    agency: 'Department of Revenue',
    withholdingRate: 0,
    unemploymentBaseCents: 700_000,
    accountNumber: (random) => `RT-${random.digits(7)}`,
  },
  IL: {
    name: 'Illinois',
    formName: 'IL-941 / UI-3/40',
    fileToken: 'IL_941_UI340',
    agency: 'Department of Employment Security',
    withholdingRate: 495,
    unemploymentBaseCents: 1_391_600,
    accountNumber: (random) => `IL-${random.digits(4)}-${random.digits(4)}`,
  },
  MA: {
    name: 'Massachusetts',
    formName: 'M-941 / UI quarterly',
    fileToken: 'MA_M941',
    agency: 'Department of Unemployment Assistance',
    withholdingRate: 500,
    unemploymentBaseCents: 1_500_000,
    accountNumber: (random) => `WTH-${random.digits(8)}`,
  },
  MI: {
    name: 'Michigan',
    formName: '5080 / UIA 1028',
    fileToken: 'MI_UIA1028',
    agency: 'Unemployment Insurance Agency',
    withholdingRate: 425,
    unemploymentBaseCents: 950_000,
    accountNumber: (random) => `ME-${random.digits(7)}`,
  },
  NC: {
    name: 'North Carolina',
    formName: 'NC-5Q / NCUI 101',
    fileToken: 'NC_NCUI101',
    agency: 'Division of Employment Security',
    withholdingRate: 450,
    unemploymentBaseCents: 3_260_000,
    accountNumber: (random) => `${random.digits(9)}`,
  },
  NJ: {
    name: 'New Jersey',
    formName: 'NJ-927 / WR-30',
    fileToken: 'NJ_927',
    agency: 'Division of Revenue',
    withholdingRate: 350,
    unemploymentBaseCents: 4_330_000,
    accountNumber: (random) => `0-${random.digits(3)}-${random.digits(3)}-${random.digits(3)}/000`,
  },
  NY: {
    name: 'New York',
    formName: 'NYS-45',
    fileToken: 'NYS-45',
    agency: 'Department of Taxation and Finance',
    withholdingRate: 535,
    unemploymentBaseCents: 1_280_000,
    accountNumber: (random) => `${random.digits(2)}-${random.digits(5)} ${random.digits(1)}`,
  },
  OH: {
    name: 'Ohio',
    formName: 'IT 941 / JFS 20125',
    fileToken: 'OH_IT941',
    agency: 'Department of Taxation',
    withholdingRate: 275,
    unemploymentBaseCents: 900_000,
    accountNumber: (random) => `52-${random.digits(6)}`,
  },
  PA: {
    name: 'Pennsylvania',
    formName: 'PA-W3 / UC-2',
    fileToken: 'PA_UC2',
    agency: 'Department of Labor and Industry',
    withholdingRate: 307,
    unemploymentBaseCents: 1_000_000,
    accountNumber: (random) => `${random.digits(4)} ${random.digits(4)}`,
  },
  TX: {
    name: 'Texas',
    formName: 'C-3',
    fileToken: 'TX_C3',
    agency: 'Workforce Commission',
    withholdingRate: 0,
    unemploymentBaseCents: 900_000,
    accountNumber: (random) => `${random.digits(2)}-${random.digits(6)}-${random.digits(1)}`,
  },
} as const satisfies Record<string, State>;

export type StateCode = keyof typeof STATES;

export function stateOf(code: StateCode): State {
  return STATES[code];
}
