// How long a lockout is remembered, for whom, and how many are.
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../platform/clock.ts';
import { Lockouts } from './lockouts.ts';

it('H7: a lockout is remembered for a second, and no longer than it lasts', () => {
  const lockouts = new Lockouts();
  lockouts.remember('long', { freeAt: 10 + HOUR_MS, at: 10 });
  lockouts.remember('short', { freeAt: 310, at: 10 });
  const freeAt = (at: number) => ['long', 'short', 'other'].map((key) => lockouts.freeAt([key], 'anna', at));
  expect(freeAt(309)).toEqual([10 + HOUR_MS, 310, 0]);
  expect(freeAt(310)).toEqual([10 + HOUR_MS, 0, 0]);
  expect(freeAt(1_009)).toEqual([10 + HOUR_MS, 0, 0]);
  expect(freeAt(1_010)).toEqual([0, 0, 0]);
});

it('H7: of several lockouts the longest counts, and none for whom it spares', () => {
  const lockouts = new Lockouts();
  lockouts.remember('pair', { freeAt: 500, at: 0 });
  lockouts.remember('network', { freeAt: HOUR_MS, at: 0, spared: new Set(['anna']) });
  expect(lockouts.freeAt(['pair', 'network'], 'bert', 1)).toBe(HOUR_MS);
  expect(lockouts.freeAt(['pair', 'network'], 'anna', 1)).toBe(500);
  expect(lockouts.freeAt(['network'], 'anna', 1)).toBe(0);
});

it('H7: what was found last replaces what was found before', () => {
  const lockouts = new Lockouts();
  lockouts.remember('network', { freeAt: HOUR_MS, at: 0, spared: new Set(['anna']) });
  lockouts.remember('network', { freeAt: HOUR_MS, at: 900 });
  expect(lockouts.freeAt(['network'], 'anna', 1_800)).toBe(HOUR_MS);
});

it('H7: ten thousand are remembered, and none that is over', () => {
  const lockouts = new Lockouts();
  for (let nth = 0; nth < 10_050; nth += 1) lockouts.remember(`network ${nth}`, { freeAt: HOUR_MS, at: 0 });
  expect(lockouts.size).toBe(10_000);
  expect(lockouts.freeAt(['network 49'], 'anna', 1)).toBe(0);
  expect(lockouts.freeAt(['network 50'], 'anna', 1)).toBe(HOUR_MS);
  lockouts.remember('later', { freeAt: HOUR_MS, at: 1_000 });
  expect(lockouts.size).toBe(1);
});
