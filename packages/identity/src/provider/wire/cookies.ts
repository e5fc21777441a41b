import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';
import type { ProviderSettings } from '../provider-settings.ts';

/** The first cookie of this name; undefined when there is none. */
export function cookieIn({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  return parseCookie(cookie)[name];
}

/** A cookie that no script reads and no other site sends with a form; `maxAgeSeconds` 0 takes it away. */
export function setCookie(
  reply: FastifyReply,
  { baseUrl }: Pick<ProviderSettings, 'baseUrl'>,
  cookie: {
    readonly name: string;
    readonly value: string;
    readonly maxAgeSeconds: number;
    /** Defaults to all paths below the application host. */
    readonly path?: string;
  },
): void {
  const { pathname, protocol } = new URL(baseUrl);
  const { name, value, maxAgeSeconds: maxAge, path = pathname } = cookie;
  const secure = protocol === 'https:';
  const attributes = { maxAge, path, secure, httpOnly: true, sameSite: 'lax' } as const;
  reply.header('set-cookie', stringifySetCookie({ name, value, ...attributes }));
}
