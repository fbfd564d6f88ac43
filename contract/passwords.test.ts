// What a new password must be, under either profile.
import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { newPassword, newPasswordOrBlank, type PasswordProfile } from './passwords.ts';

const faultsOf = (password: unknown, profile: PasswordProfile) =>
  newPassword(profile)
    .safeParse(password)
    .error?.issues.map(({ message }) => message) ?? [];

describe('A16: a password to be set', () => {
  it.each<[PasswordProfile, number]>([
    ['standard', 6],
    ['safeguards', 8],
  ])('of profile %s has at least %i characters, counted as a person counts them', (profile, least) => {
    const message = `Password must be at least ${least} characters`;
    expect(faultsOf('x7'.repeat(20).slice(0, least - 1), profile)).toEqual([message]);
    expect(faultsOf('x7 m\u00f8 \u00e9 w 9'.slice(0, least), profile)).toEqual([]);
    // A key outside the first plane is one character, though it is two units.
    expect(faultsOf('\u{1F511}'.repeat(least - 1), profile)).toEqual([message]);
    for (const none of [undefined, null, 12345678, {}]) expect(faultsOf(none, profile)).toEqual([message]);
  });

  it('has at most 128 characters', () => {
    for (const profile of ['standard', 'safeguards'] as const) {
      const long = 'Mill Road 12, Dayton. '.repeat(6);
      expect(faultsOf(long.slice(0, 128), profile)).toEqual([]);
      for (const over of [long.slice(0, 129), 'x'.repeat(1_000_000)]) {
        expect(faultsOf(over, profile)).toEqual(['Password must be at most 128 characters']);
      }
    }
  });

  it('is kept with every space', () => {
    expect(newPassword('safeguards').parse('  mill road  ')).toBe('  mill road  ');
  });

  it('is none of the common ones, with SAFEGUARDS=on alone', () => {
    for (const password of ['password', 'PassWord123', ' qwertyuiop', 'passwordpassword', '12341234', 'zzzzzzzzz']) {
      expect([password, faultsOf(password, 'safeguards').length]).toEqual([password, 1]);
      expect([password, faultsOf(password, 'standard')]).toEqual([password, []]);
    }
  });

  it('may be blank where that keeps the old one', () => {
    for (const blank of ['', null, undefined])
      expect(newPasswordOrBlank('safeguards').safeParse(blank).success).toBe(true);
    for (const wrong of [' ', 'short', 'password']) {
      expect(newPasswordOrBlank('safeguards').safeParse(wrong).success).toBe(false);
    }
  });
});

it('A16: no long phrase of one\u2019s own is on the list', () => {
  for (const phrase of ['correct horse', 'viewer password', 'mill road 12', 'Pine & Harbor 1987', 'abcd efgh ijkl']) {
    expect([phrase, isCommonPassword(phrase)]).toEqual([phrase, false]);
  }
});
