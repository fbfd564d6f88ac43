// The rules of docs/behaviour.md, Rights, as examples: what is done with files.
import { describe, expect, it } from 'vitest';
import { actor, admin, all, client, cpa, custom, holding, ME, refusalOf, SOMEBODY } from '#server/testing/actors.ts';
import { type ActingActor, authorize, may } from '../policy.ts';
import { CAPABILITIES } from './actor.ts';
import { TAKE_BACK_MS } from './files.ts';
import type { SubjectOf } from './rights.ts';

describe('deleting a file', () => {
  const report = (uploadedById: number | null) => ({ fileType: 'report' as const, uploadedById });
  const document = (uploadedById: number | null) => ({ fileType: 'company_document' as const, uploadedById });

  it('a report: the Admin, and anyone who holds files.delete, not its uploader', () => {
    for (const viewer of [admin, cpa, holding('files.delete')])
      expect(may(viewer, 'files.delete', report(null))).toBe(true);
    for (const viewer of [client, custom]) expect(may(viewer, 'files.delete', report(ME))).toBe(false);
  });

  it('a company document: its uploader, and who deletes files and reaches everything, whatever else others hold', () => {
    for (const viewer of all) expect(may(viewer, 'files.delete', document(ME))).toBe(true);
    for (const viewer of [cpa, client, custom, holding(...CAPABILITIES)]) {
      expect(may(viewer, 'files.delete', document(SOMEBODY))).toBe(false);
      expect(may(viewer, 'files.delete', document(null))).toBe(false);
    }
    expect(may(admin, 'files.delete', document(SOMEBODY))).toBe(true);
    const everywhere = actor(null, { reach: 'all', capabilities: ['files.delete'] });
    expect(may(everywhere, 'files.delete', document(SOMEBODY))).toBe(true);
    expect(may({ ...everywhere, capabilities: [] }, 'files.delete', document(SOMEBODY))).toBe(false);
  });
});

describe('taking a report back', () => {
  const report = { fileType: 'report', uploadedById: ME, ageMs: TAKE_BACK_MS - 1, openedByOthers: false } as const;
  const uploader = holding('reports.upload');
  const refusal = (viewer: ActingActor, file: SubjectOf<'files.take-back'>[0]) =>
    refusalOf(() => authorize(viewer, 'files.take-back', file));

  it('is for its uploader, within a day, while nobody else has opened it', () => {
    expect(refusal(uploader, report)).toBeNull();
    expect(refusal(uploader, { ...report, ageMs: TAKE_BACK_MS })).toBe('take_back_over');
    expect(refusal(uploader, { ...report, openedByOthers: true })).toBe('opened_meanwhile');
    expect(refusal(uploader, { ...report, openedByOthers: null })).toBe('opened_meanwhile');
    expect(refusal(uploader, { ...report, uploadedById: SOMEBODY })).toBe('forbidden');
    expect(refusal(uploader, { ...report, uploadedById: null })).toBe('forbidden');
    expect(refusal(uploader, { ...report, fileType: 'company_document' })).toBe('forbidden');
    for (const viewer of [client, custom, holding('files.delete')]) expect(refusal(viewer, report)).toBe('forbidden');
  });

  it('is undone by whoever took it back, and by nobody else of their rights', () => {
    const back = { fileType: 'report', uploadedById: ME, deletedById: ME, losesType: false } as const;
    expect(may(uploader, 'files.restore', back)).toBe(true);
    expect(may(uploader, 'files.restore', { ...back, uploadedById: SOMEBODY })).toBe(false);
    expect(may(uploader, 'files.restore', { ...back, deletedById: SOMEBODY })).toBe(false);
    expect(may(holding('documents.upload'), 'files.restore', back)).toBe(false);
  });
});

describe('uploading', () => {
  const report = { fileType: 'report', clientReached: true, reportTypeReached: true } as const;
  const document = { fileType: 'company_document', clientReached: true, reportTypeReached: null } as const;

  it('needs the capability for the kind of file', () => {
    expect([cpa, client, custom].map((viewer) => may(viewer, 'files.upload', report))).toEqual([true, false, false]);
    expect([cpa, client, custom].map((viewer) => may(viewer, 'files.upload', document))).toEqual([true, true, false]);
    expect(may(holding('reports.upload'), 'files.upload', document)).toBe(false);
    expect(may(holding('documents.upload'), 'files.upload', report)).toBe(false);
  });

  it('needs the client and the report type within reach, each by itself', () => {
    expect(may(cpa, 'files.upload', { ...report, clientReached: false })).toBe(false);
    expect(may(cpa, 'files.upload', { ...report, reportTypeReached: false })).toBe(false);
    expect(may(cpa, 'files.upload', { ...report, reportTypeReached: null })).toBe(true);
    expect(may(cpa, 'files.upload', { ...document, clientReached: false })).toBe(false);
  });
});

describe('re-filing', () => {
  const report = { fileType: 'report', uploadedById: null } as const;
  const toReport = { fileType: 'report', clientReached: true, reportTypeReached: true } as const;
  const toDocument = { fileType: 'company_document', clientReached: true, reportTypeReached: null } as const;

  it('needs the right to delete the file where it is and to upload it where it goes', () => {
    expect(may(cpa, 'files.refile', { from: report, to: toReport })).toBe(true);
    expect(may(cpa, 'files.refile', { from: report, to: toDocument })).toBe(true);
    expect(may(holding('reports.upload'), 'files.refile', { from: report, to: toReport })).toBe(false);
    expect(may(holding('files.delete', 'reports.upload'), 'files.refile', { from: report, to: toReport })).toBe(true);
    expect(may(holding('files.delete', 'reports.upload'), 'files.refile', { from: report, to: toDocument })).toBe(
      false,
    );
    const own = { fileType: 'company_document', uploadedById: ME } as const;
    expect(may(client, 'files.refile', { from: own, to: toDocument })).toBe(true);
    expect(may(client, 'files.refile', { from: own, to: toReport })).toBe(false);
    expect(may(cpa, 'files.refile', { from: { ...own, uploadedById: SOMEBODY }, to: toDocument })).toBe(false);
  });

  it('needs both places within reach, and takes no file out of one’s own sight', () => {
    expect(may(cpa, 'files.refile', { from: report, to: { ...toReport, clientReached: false } })).toBe(false);
    expect(may(cpa, 'files.refile', { from: report, to: { ...toReport, reportTypeReached: false } })).toBe(false);
    const untyped = { ...toReport, reportTypeReached: null };
    expect(may(cpa, 'files.refile', { from: report, to: untyped })).toBe(false);
    expect(may(cpa, 'files.refile', { from: { ...report, uploadedById: ME }, to: untyped })).toBe(true);
    expect(may(admin, 'files.refile', { from: report, to: untyped })).toBe(true);
  });
});
