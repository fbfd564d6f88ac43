// Report types: the kinds of report a firm files under.
import { z } from 'zod';
import { Id, pageQuery, sortQuery, textLine } from './fields.ts';

export const ReportTypeInput = z.strictObject({
  name: textLine({ min: 1, max: 100, message: 'Report type name cannot be empty' }),
});
export type ReportTypeInput = z.infer<typeof ReportTypeInput>;

export const ReportTypeRow = z.object({ id: Id, name: z.string() });
export type ReportTypeRow = z.infer<typeof ReportTypeRow>;

export const ReportTypeQuery = z.strictObject({ ...pageQuery, sort: sortQuery(['name']) });
export type ReportTypeQuery = z.infer<typeof ReportTypeQuery>;
