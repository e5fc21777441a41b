import { randomUUID, X509Certificate } from 'node:crypto';
import type { Connection } from '../connections/connection.ts';
import { findInDirectory } from '../connections/directory/search-directory.ts';
import { createUpstream } from '../connections/upstream/upstream.ts';

const TIMEOUT_MS = 10_000;

/**
 * As much of a sign-in as goes without a person.
 * @returns what the other side showed of itself
 * @throws whatever is wrong, in the words of who found it
 */
export async function tryConnection(
  connection: Connection,
  { baseUrl, nowMs }: { readonly baseUrl: string; readonly nowMs: number },
): Promise<string> {
  for (const certificate of certificatesOf(connection)) requireValid(certificate, nowMs);
  switch (connection.protocol) {
    case 'oidc':
    case 'azure-ad': {
      // A new one: it asks for the other side's configuration, and keeps none of an earlier try.
      const upstream = createUpstream(connection, baseUrl);
      const { url } = await upstream.begin({ state: 'test', callbackUrl: `${baseUrl}/test` });
      return `discovered: ${new URL(url).origin}`;
    }
    case 'oauth':
      return answers(connection.tokenEndpoint, { method: 'POST' });
    case 'saml':
      return answers(connection.ssoUrl);
    case 'cas':
      return casAnswers(connection.serverUrl);
    case 'ldap':
    case 'ad': {
      // Nobody is called so: the service's own sign-in and the search are what is tried.
      const nobody = { username: `test-${randomUUID()}`, password: randomUUID() };
      await findInDirectory(connection, nobody);
      return `searched: ${connection.baseDn}`;
    }
  }
}

/** PEM; of SAML, with which assertions are signed, or of a directory's authority. */
export function certificatesOf(connection: Connection): readonly string[] {
  if (connection.protocol === 'saml') return connection.certificates.map(toPem);
  if (connection.protocol !== 'ldap' && connection.protocol !== 'ad') return [];
  return connection.certificateAuthority === undefined ? [] : [connection.certificateAuthority];
}

function toPem(text: string): string {
  if (text.includes('BEGIN CERTIFICATE')) return text;
  const lines = text.replaceAll(/\s/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}

function requireValid(pem: string, nowMs: number): void {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  if (validToDate.getTime() < nowMs) {
    throw new Error(`The certificate has ended on ${validToDate.toISOString()}.`);
  }
  if (validFromDate.getTime() > nowMs) {
    throw new Error(`The certificate begins on ${validFromDate.toISOString()}.`);
  }
}

/** A request without anything in it is refused, which shows that somebody is there. */
async function answers(address: string, init: RequestInit = {}): Promise<string> {
  const { status } = await ask(address, init);
  if (status === 404 || status >= 500) throw new Error(`${address} answered ${status}.`);
  return `answered: HTTP ${status}`;
}

async function casAnswers(serverUrl: string): Promise<string> {
  const url = new URL(`${serverUrl}/serviceValidate`);
  url.searchParams.set('service', 'https://test.invalid/');
  url.searchParams.set('ticket', 'ST-test');
  const response = await ask(url.href, {});
  if (!(await response.text()).includes('serviceResponse')) {
    throw new Error(`${url.origin}${url.pathname} is no CAS server: HTTP ${response.status}.`);
  }
  return `answered: HTTP ${response.status}`;
}

function ask(address: string, init: RequestInit): Promise<Response> {
  return fetch(address, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
