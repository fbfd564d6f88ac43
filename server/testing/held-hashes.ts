// Loaded into a server that is a process of its own, before its own code: it hashes no password before it gets SIGUSR2, so that its
// start stands still where it makes the first Admin.
import crypto from 'node:crypto';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const released = once(process, 'SIGUSR2');
const { argon2 } = crypto;
const heldArgon2: typeof argon2 = (...given) => void released.then(() => argon2(...given));

Object.assign(crypto, { argon2: heldArgon2 });
syncBuiltinESMExports();
