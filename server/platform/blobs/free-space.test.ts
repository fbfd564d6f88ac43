import { expect, test } from 'vitest';
import { FreeSpace, STEP_BYTES } from './free-space.ts';

const MIB = 1024 * 1024;
const FLOOR_BYTES = 100;
const FULL = { code: 'storage_full' };

/** What the disk says is free, how often it was asked, and what happens while it is asked. */
const disk = { freeBytes: 0, looks: 0, meanwhile: () => {} };

function spaceOf(freeBytes: number): FreeSpace {
  Object.assign(disk, { freeBytes: freeBytes + FLOOR_BYTES, looks: 0, meanwhile: () => {} });
  return new FreeSpace(async () => {
    disk.looks += 1;
    const answer = disk.freeBytes;
    disk.meanwhile();
    return answer;
  }, FLOOR_BYTES);
}

test('promises the same bytes once, and again when they are left', async () => {
  const space = spaceOf(1000);
  const first = await space.promise(600);
  await expect(space.promise(401)).rejects.toMatchObject(FULL);
  await expect(space.ensure(401)).rejects.toMatchObject(FULL);
  const second = await space.promise(400);
  await expect(space.ensure(1)).rejects.toMatchObject(FULL);
  first.leave();
  first.leave();
  await expect(space.promise(601)).rejects.toMatchObject(FULL);
  await space.promise(600);
  second.leave();
  await space.ensure(400);
});

test('promises the same bytes once to two that ask at the same moment', async () => {
  const space = spaceOf(1000);
  const asked = await Promise.allSettled([space.promise(600), space.promise(600), space.promise(600)]);
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
});

test('counts what is written once: promised before, and missing on the disk afterwards', async () => {
  const space = spaceOf(1000);
  const room = await space.promise(600);
  await room.ensure(500);
  room.written(500);
  disk.freeBytes -= 500;
  await space.ensure(400);
  await expect(space.ensure(401)).rejects.toMatchObject(FULL);
  room.leave();
  await space.ensure(500);
  await expect(space.ensure(501)).rejects.toMatchObject(FULL);
});

test('counts what is written between the question and the answer', async () => {
  const space = spaceOf(1000);
  const room = await space.promise(600);
  disk.meanwhile = () => room.written(600);
  await expect(space.ensure(401)).rejects.toMatchObject(FULL);
});

test('promises an upload of unknown length a step at a time, and refuses the step that has no room', async () => {
  const space = spaceOf(2 * STEP_BYTES);
  const room = await space.promise();
  await space.ensure(STEP_BYTES);
  await expect(space.ensure(STEP_BYTES + 1)).rejects.toMatchObject(FULL);
  for (let step = 0; step < 2; step += 1) {
    for (let at = 0; at < STEP_BYTES; at += MIB) {
      await room.ensure(MIB);
      room.written(MIB);
      disk.freeBytes -= MIB;
    }
  }
  await expect(room.ensure(1)).rejects.toMatchObject(FULL);
});

test('goes on by steps where more comes than was announced', async () => {
  const space = spaceOf(10 + STEP_BYTES);
  const room = await space.promise(10);
  await room.ensure(11);
  await expect(space.ensure(1)).rejects.toMatchObject(FULL);
  room.leave();
  await space.ensure(10 + STEP_BYTES);
});

test('looks again every 64 MiB, and refuses what others have filled meanwhile', async () => {
  const space = spaceOf(200 * MIB);
  const room = await space.promise(200 * MIB);
  expect(disk.looks).toBe(1);
  for (let written = 0; written < 100; written += 1) {
    await room.ensure(MIB);
    room.written(MIB);
    disk.freeBytes -= MIB;
  }
  expect(disk.looks).toBe(2);
  disk.freeBytes = FLOOR_BYTES;
  await expect(
    (async () => {
      for (let written = 0; written < 64; written += 1) {
        await room.ensure(MIB);
        room.written(MIB);
      }
    })(),
  ).rejects.toMatchObject(FULL);
});
