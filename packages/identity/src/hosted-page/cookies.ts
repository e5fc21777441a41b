import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ProviderSettings } from '../provider/provider-settings.ts';

const LONGEST = 4_096;

/** The first cookie of this name; undefined when there is none. */
export function cookieIn({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  return cookie
    .split(/; */)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1, LONGEST);
}

/** A cookie for everything below the application host; `maxAgeSeconds` 0 takes it away. */
export function setCookie(
  reply: FastifyReply,
  { baseUrl }: Pick<ProviderSettings, 'baseUrl'>,
  cookie: { readonly name: string; readonly value: string; readonly maxAgeSeconds: number },
): void {
  const { pathname, protocol } = new URL(baseUrl);
  const secure = protocol === 'https:' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookie.name}=${cookie.value}; Path=${pathname}; Max-Age=${cookie.maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}
