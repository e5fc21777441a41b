import { randomUUID, X509Certificate } from 'node:crypto';
import type { ConnectionFinding } from '@deviceportal/contract/provider-admin';
import type { Connection } from '../connections/connection.ts';
import { findInDirectory } from '../connections/directory/search-directory.ts';
import { createUpstream } from '../connections/upstream/create-upstream.ts';

const TIMEOUT_MS = 10_000;

/** A known problem that a connection test found. */
export class ConnectionFault extends Error {
  readonly finding: ConnectionFinding;

  constructor(finding: ConnectionFinding) {
    super(finding.kind);
    this.finding = finding;
  }
}

/**
 * As much of a sign-in as goes without a person.
 * @returns what the other side showed of itself
 * @throws ConnectionFault, or whatever else is wrong in the words of who found it
 */
export async function tryConnection(
  connection: Connection,
  { baseUrl, nowMs }: { readonly baseUrl: string; readonly nowMs: number },
): Promise<ConnectionFinding> {
  for (const certificate of certificatesOf(connection)) requireValid(certificate, nowMs);
  switch (connection.protocol) {
    case 'oidc':
    case 'azure-ad': {
      // A new instance, which fetches the external provider's configuration instead of using a
      // cached one.
      const upstream = createUpstream(connection, baseUrl);
      const { url } = await upstream.begin({ state: 'test', callbackUrl: `${baseUrl}/test` });
      return { kind: 'discovered', origin: new URL(url).origin };
    }
    case 'oauth':
      return answers(connection.tokenEndpoint, { method: 'POST' });
    case 'saml':
      return answers(connection.ssoUrl);
    case 'cas':
      return casAnswers(connection.serverUrl);
    case 'ldap':
    case 'ad': {
      // An unknown user: only the service account's sign-in and the search are tested.
      const nobody = { username: `test-${randomUUID()}`, password: randomUUID() };
      await findInDirectory(connection, nobody);
      return { kind: 'searched', baseDn: connection.baseDn };
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

function read(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new ConnectionFault({ kind: 'certificate-unreadable' });
  }
}

function requireValid(pem: string, nowMs: number): void {
  const { validFromDate, validToDate } = read(pem);
  if (validToDate.getTime() < nowMs) {
    throw new ConnectionFault({ kind: 'certificate-ended', at: validToDate.toISOString() });
  }
  if (validFromDate.getTime() > nowMs) {
    throw new ConnectionFault({ kind: 'certificate-not-begun', at: validFromDate.toISOString() });
  }
}

/** An empty request is rejected, which shows that the provider responds. */
async function answers(address: string, init: RequestInit = {}): Promise<ConnectionFinding> {
  const { status } = await ask(address, init);
  if (status === 404 || status >= 500) {
    throw new ConnectionFault({ kind: 'wrong-answer', address, status });
  }
  return { kind: 'answered', status };
}

async function casAnswers(serverUrl: string): Promise<ConnectionFinding> {
  const url = new URL(`${serverUrl}/serviceValidate`);
  url.searchParams.set('service', 'https://test.invalid/');
  url.searchParams.set('ticket', 'ST-test');
  const response = await ask(url.href, {});
  if (!(await response.text()).includes('serviceResponse')) {
    const address = `${url.origin}${url.pathname}`;
    throw new ConnectionFault({ kind: 'no-cas-server', address, status: response.status });
  }
  return { kind: 'answered', status: response.status };
}

function ask(address: string, init: RequestInit): Promise<Response> {
  return fetch(address, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
