// The cookie that opens files: set when a session opens, removed when it ends.
import type { FastifyReply } from 'fastify';
import type { Config } from '../config.ts';
import { FILE_COOKIE } from './authenticate.ts';

function optionsOf(config: Config) {
  const secure = config.publicOrigin?.startsWith('https:') ?? false;
  return { path: '/api/files', httpOnly: true, sameSite: 'strict', secure } as const;
}

export function setFileCookie(reply: FastifyReply, cookie: string, config: Config): void {
  reply.setCookie(FILE_COOKIE, cookie, optionsOf(config));
}

export function clearFileCookie(reply: FastifyReply, config: Config): void {
  reply.clearCookie(FILE_COOKIE, optionsOf(config));
}
