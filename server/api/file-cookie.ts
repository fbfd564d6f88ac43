// The cookie that opens files: set when a session opens, removed when it ends.
import type { FastifyReply } from 'fastify';
import type { Config } from '../config.ts';
import { FILE_COOKIE } from './authenticate.ts';

function optionsOf(config: Config) {
  const secure = config.publicOrigin?.startsWith('https:') ?? false;
  return { path: '/api/files', httpOnly: true, sameSite: 'strict', secure } as const;
}

/**
 * A browser that is closed keeps it, as it keeps the session: people would be signed in, and files not open. Max-Age and
 * not Expires, because a browser's clock may be wrong.
 */
export function setFileCookie(reply: FastifyReply, cookie: string, ageMaxMs: number, config: Config): void {
  reply.setCookie(FILE_COOKIE, cookie, { ...optionsOf(config), maxAge: ageMaxMs / 1000 });
}

export function clearFileCookie(reply: FastifyReply, config: Config): void {
  reply.clearCookie(FILE_COOKIE, optionsOf(config));
}
