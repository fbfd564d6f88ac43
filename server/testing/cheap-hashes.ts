// Loaded into a server that is a process of its own, before its own code: passwords that cost nothing to hash. What a hash costs, and
// who waits for it, is asked of servers in the tests' own process.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { cheapTag } from './cheap-tag.ts';

const cheapArgon2: typeof crypto.argon2 = (_algorithm, { message, nonce, memory, passes, tagLength }, done) => {
  const tag = Buffer.from(
    cheapTag(String(message), Buffer.from(nonce as Uint8Array), `${memory} ${passes}`, tagLength),
  );
  setImmediate(done, null, tag);
};

Object.assign(crypto, { argon2: cheapArgon2 });
syncBuiltinESMExports();
