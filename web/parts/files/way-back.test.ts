// Where the page of a file leads back to, by what its address says.
import { describe, expect, it } from 'vitest';
import { openedFrom, openedFromRequest, wayBack } from './way-back.ts';

describe('the way back from a file', () => {
  it.each([
    ['/', {}, '/', '', 'Back to dashboard'],
    ['/batches/7', { document: '12' }, '/batches/$id', '7', 'Back to batch'],
    ['/clients/3', {}, '/clients/$id', '3', 'Back to client'],
    ['/retention', { reportType: '5', page: '2' }, '/retention', '', 'Back to retention'],
    ['/system', {}, '/system', '', 'Back to system'],
  ])('from %s', (path, search, to, id, words) => {
    expect(wayBack(openedFrom(path, search))).toEqual({ to, params: { id }, search, words });
  });

  it.each([
    ['/requests/4', '/requests/$id', '4', 'Back to request'],
    ['/', '/', '', 'Back to dashboard'],
  ])('of a request that stands on %s', (path, to, id, words) => {
    const place = openedFromRequest(4, path);
    expect(wayBack(place)).toEqual({ to, params: { id }, search: {}, words });
    expect(place).toMatchObject({ request: '4' });
  });

  it.each(['/users', '/batches/0', '/batches/x', '//elsewhere.example', '/batches/7/more', ''])(
    'is that of the list where %s is said',
    (path) => {
      expect(wayBack({ from: path })).toBeNull();
    },
  );
});
