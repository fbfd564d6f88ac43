// Preloaded into the server of the browser tests: passwords that cost nothing to hash. The cost of a hash, and
// who waits for it, is tested below the browser.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { cheapTag } from '#server/testing/cheap-tag.ts';

const cheapArgon2: typeof crypto.argon2 = (_algorithm, { message, nonce, memory, passes, tagLength }, done) => {
  const tag = Buffer.from(
    cheapTag(String(message), Buffer.from(nonce as Uint8Array), `${memory} ${passes}`, tagLength),
  );
  setImmediate(done, null, tag);
};

Object.assign(crypto, { argon2: cheapArgon2 });
syncBuiltinESMExports();
