// A name that no line breaks.

export const UNBROKEN = 'Northfieldconsolidatedmanufacturinganddistributionholdingcompany';
