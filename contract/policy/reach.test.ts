// The rules of docs/behaviour.md, Rights, as examples: what is seen.
import { describe, expect, it } from 'vitest';
import { actor, admin, all, client, cpa, custom, holding, ME, SOMEBODY } from '#server/testing/actors.ts';
import {
  activityReach,
  reachesActivity,
  reachesClient,
  reachesEveryReportType,
  reachesEveryRole,
  reachesFile,
  reachesReportType,
  reachesUser,
} from './reach.ts';

describe('what is seen', () => {
  it('with empty lists is nothing; only reach over all ignores lists', () => {
    const listless = actor('cpa', { clientIds: [], reportTypeIds: [] });
    expect(reachesClient(listless, 1)).toBe(false);
    expect(reachesReportType(listless, 10)).toBe(false);
    expect(reachesClient(admin, 1)).toBe(true);
    expect(reachesReportType(admin, 10)).toBe(true);
  });

  it.each<[what: string, file: Parameters<typeof reachesFile>[1], seen: boolean]>([
    ['a report of both lists', { clientId: 1, fileType: 'report', reportTypeId: 10, uploadedById: SOMEBODY }, true],
    [
      'a report of the client list only',
      { clientId: 1, fileType: 'report', reportTypeId: 11, uploadedById: ME },
      false,
    ],
    ['a report of the type list only', { clientId: 2, fileType: 'report', reportTypeId: 10, uploadedById: ME }, false],
    [
      'a document of the client list',
      { clientId: 1, fileType: 'company_document', reportTypeId: null, uploadedById: null },
      true,
    ],
    [
      'a document of another client',
      { clientId: 2, fileType: 'company_document', reportTypeId: null, uploadedById: ME },
      false,
    ],
    [
      'another’s report without type',
      { clientId: 1, fileType: 'report', reportTypeId: null, uploadedById: SOMEBODY },
      false,
    ],
    [
      'a report without type whose uploader is gone',
      { clientId: 1, fileType: 'report', reportTypeId: null, uploadedById: null },
      false,
    ],
    ['one’s own report without type', { clientId: 1, fileType: 'report', reportTypeId: null, uploadedById: ME }, true],
    ['one’s own of another client', { clientId: 2, fileType: 'report', reportTypeId: null, uploadedById: ME }, false],
  ])('%s', (_what, file, seen) => {
    for (const viewer of [cpa, client, custom]) expect(reachesFile(viewer, file)).toBe(seen);
    expect(reachesFile(admin, file)).toBe(true);
  });

  it('of report types is the list, and all for anyone who manages them, but not their reports', () => {
    const manager = holding('report-types.manage');
    expect(reachesEveryReportType(manager)).toBe(true);
    expect(reachesReportType(manager, 11)).toBe(true);
    expect(reachesFile(manager, { clientId: 1, fileType: 'report', reportTypeId: 11, uploadedById: null })).toBe(false);
    expect(reachesReportType(custom, 11)).toBe(false);
  });

  it('of users is oneself, and all for anyone who manages them', () => {
    for (const viewer of [cpa, client, custom]) {
      expect([reachesUser(viewer, ME), reachesUser(viewer, SOMEBODY)]).toEqual([true, false]);
    }
    for (const viewer of [admin, holding('users.manage')]) expect(reachesUser(viewer, SOMEBODY)).toBe(true);
  });

  it('of roles is one’s own, and all for anyone who manages roles or users', () => {
    expect([cpa, client, custom].map(reachesEveryRole)).toEqual([false, false, false]);
    expect([admin, holding('roles.manage'), holding('users.manage')].map(reachesEveryRole)).toEqual([true, true, true]);
  });

  it('of the log is one’s own acts; with activity.read-clients also those on own clients; with activity.read all', () => {
    const readers = [holding('activity.read-clients'), holding('activity.read')];
    expect([admin, cpa, client, custom, ...readers].map(activityReach)).toEqual([
      'all',
      'own-and-clients',
      'own',
      'own',
      'own-and-clients',
      'all',
    ]);
    const onMine = { userId: SOMEBODY, clientId: 1 };
    const onOther = { userId: SOMEBODY, clientId: 2 };
    const onNone = { userId: SOMEBODY, clientId: null };
    expect([onMine, onOther, onNone].map((entry) => reachesActivity(cpa, entry))).toEqual([true, false, false]);
    expect([onMine, onOther, onNone].map((entry) => reachesActivity(client, entry))).toEqual([false, false, false]);
    for (const viewer of all) expect(reachesActivity(viewer, { userId: ME, clientId: 2 })).toBe(true);
  });
});
