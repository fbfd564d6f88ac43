// Row H9 of the threat model: which connection is closed where one site, one person or all together have too many.
import { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionPlaces, type Places } from './open-connections.ts';

const opened: Socket[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) connection.destroy();
});

function open(places: ConnectionPlaces, key: string, count: number): Socket[] {
  return Array.from({ length: count }, () => {
    const connection = new Socket();
    opened.push(connection);
    places.take(key, connection);
    return connection;
  });
}

const placesOf = (places: Partial<Places> = {}) => new ConnectionPlaces({ ofOne: 3, all: 100, ...places });
const closed = (connections: readonly Socket[]) => connections.map(({ destroyed }) => destroyed);

describe('too many of one', () => {
  it('H9: the one that was opened first is closed, and nobody else loses any', () => {
    const places = placesOf();
    const others = open(places, 'other', 3);
    const own = open(places, 'own', 5);
    expect([closed(own), closed(others)]).toEqual([
      [true, true, false, false, false],
      [false, false, false],
    ]);
    expect(places.open).toBe(6);
  });

  it('H9: one that was used lately is kept before one that was not', () => {
    const places = placesOf();
    const own = open(places, 'own', 3);
    const [first] = own as [Socket];
    places.use('own', first, true);
    places.use('own', first, false);
    own.push(...open(places, 'own', 1));
    expect(closed(own)).toEqual([false, true, false, false]);
  });

  it('H9: one that answers is kept before all that do not, however long its request lasts', () => {
    const places = placesOf();
    const own = open(places, 'own', 1);
    places.use('own', own[0] as Socket, true);
    own.push(...open(places, 'own', 5));
    expect(closed(own)).toEqual([false, true, true, true, false, false]);
  });

  it('H9: where each answers something, the one that began first is closed, and never the one that is opened', () => {
    const places = placesOf();
    const own = open(places, 'own', 3);
    for (const connection of own) places.use('own', connection, true);
    own.push(...open(places, 'own', 1));
    expect(closed(own)).toEqual([true, false, false, false]);
  });

  it('H9: a place is free once its connection has left, also where that is said twice', () => {
    const places = placesOf();
    const own = open(places, 'own', 3);
    const [first] = own as [Socket];
    places.leave('own', first);
    places.leave('own', first);
    expect(places.open).toBe(2);
    own.push(...open(places, 'own', 1));
    expect(closed(own)).toEqual([false, false, false, false]);
  });
});

describe('too many of all together', () => {
  it('H9: one of those who have most is closed, and whoever has few keeps them', () => {
    const places = placesOf({ ofOne: 10, all: 6 });
    const few = open(places, 'few', 2);
    const many = open(places, 'many', 4);
    const fresh = open(places, 'fresh', 2);
    expect([closed(few), closed(many), closed(fresh)]).toEqual([
      [false, false],
      [true, true, false, false],
      [false, false],
    ]);
    expect(places.open).toBe(6);
  });

  it('H9: where each has one, the one that is opened is closed', () => {
    const places = placesOf({ all: 2 });
    const kept = [...open(places, 'a', 1), ...open(places, 'b', 1)];
    const fresh = open(places, 'c', 1);
    expect([closed(kept), closed(fresh)]).toEqual([[false, false], [true]]);
    expect(places.open).toBe(2);
  });
});
