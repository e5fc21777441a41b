import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomSecret, sameBytes } from '../secrets/secret-hash.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { cookieIn, setCookie } from '../provider/wire/cookies.ts';

const COOKIE = 'idp_form';
const BYTES = 32;
const LIFE_SECONDS = 86_400;

/** The new cookie value that this response sets. */
const given = new WeakMap<FastifyRequest, string>();

type FormContext = Pick<ProviderContext, 'hash' | 'settings'>;

/** CSRF secret of the page's forms, bound to this browser and sign-in. */
export function formSecret(
  { hash, settings }: FormContext,
  { request, reply, uid }: { request: FastifyRequest; reply: FastifyReply; uid: string },
): string {
  const known = cookieIn(request.headers, COOKIE) ?? given.get(request);
  const browser = known ?? randomSecret(BYTES);
  if (known === undefined) {
    given.set(request, browser);
    setCookie(reply, settings, { name: COOKIE, value: browser, maxAgeSeconds: LIFE_SECONDS });
  }
  return hash('provider-form', browser, uid).toString('base64url');
}

/** Whether the form came from our page in this browser. */
export function isOwnForm(
  { hash }: Pick<FormContext, 'hash'>,
  { request, uid, sent }: { request: FastifyRequest; uid: string; sent: string },
): boolean {
  const browser = cookieIn(request.headers, COOKIE);
  if (browser === undefined) return false;
  return sameBytes(hash('provider-form', browser, uid), Buffer.from(sent, 'base64url'));
}
