import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieIn, setCookie } from '../provider/wire/cookies.ts';
import { randomSecret } from '../secrets/secret-hash.ts';
import { INTERACTION_MS } from './interactions.ts';

/** Several windows of one browser sign in side by side: each state has a cookie of its own. */
function nameOf(state: string): string {
  return `idp_interaction_${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;
}

/** Gives the browser a text by which it is known again when it comes back. */
export function markBrowser(reply: FastifyReply, state: string, baseUrl: string): string {
  const browser = randomSecret(32);
  const path = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/connections`;
  const cookie = { name: nameOf(state), value: browser, maxAgeSeconds: INTERACTION_MS / 1_000 };
  setCookie(reply, { baseUrl }, { ...cookie, path });
  return browser;
}

/** The text that this browser was given; empty for another one. */
export function browserOf({ headers }: FastifyRequest, state: string): string {
  return cookieIn(headers, nameOf(state)) ?? '';
}
