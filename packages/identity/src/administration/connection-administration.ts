import { X509Certificate } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import type {
  ConnectionFinding,
  ConnectionRow,
  ConnectionTest,
} from '@deviceportal/contract/provider-admin';
import { isDirectory, isSocial, type Connection } from '../connections/connection.ts';
import { pathOf } from '../connections/find-connection.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { certificatesOf, ConnectionFault, tryConnection } from './try-connection.ts';

/** The ways to sign in with an account elsewhere; the configuration of the server decides which there are. */
export interface ConnectionAdministration {
  list(): readonly ConnectionRow[];
  /** Asks the other side as far as that is possible without a person. @throws PortalError notFound */
  test(identifier: string): Promise<ConnectionTest>;
}

export function createConnectionAdministration({
  clock,
  settings,
}: Pick<ProviderContext, 'clock' | 'settings'>): ConnectionAdministration {
  const { connections, baseUrl } = settings;
  return {
    list: () => connections.map((connection) => rowOf(connection, baseUrl)),
    async test(identifier) {
      const connection = connections.find((each) => each.identifier === identifier);
      if (connection === undefined) {
        throw new PortalError('notFound', { facts: { connection: identifier } });
      }
      const startedMs = performance.now();
      const outcome = await tryConnection(connection, { baseUrl, nowMs: clock.now() }).then(
        (finding) => ({ ok: true, finding }),
        (error: unknown) => ({ ok: false, finding: findingOf(error, connection) }),
      );
      return { ...outcome, durationMs: Math.round(performance.now() - startedMs) };
    },
  };
}

/** Fields that the list already shows, and long ones. */
const SHOWN_ELSEWHERE = new Set(['identifier', 'displayName', 'protocol', 'kind', 'logo']);
const SECRETS = new Set(['clientSecret', 'bindPassword']);
const LONG = new Set(['certificates', 'certificateAuthority']);

function rowOf(connection: Connection, baseUrl: string): ConnectionRow {
  const isWeb = !isDirectory(connection);
  const shown = Object.entries(connection).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
  const ends = certificatesOf(connection)
    .map(endOf)
    .filter((end) => end !== null);
  return {
    identifier: connection.identifier,
    displayName: connection.displayName,
    protocol: connection.protocol,
    kind: isWeb && isSocial(connection) ? 'social' : 'enterprise',
    address: addressOf(connection),
    createsUsers: connection.createsUsers,
    trustsEmail: connection.trustsEmail,
    settings: Object.fromEntries(shown.map(([name, value]) => [name, shownAs(name, value)])),
    callbackUrl: isWeb ? `${baseUrl}${pathOf(connection)}/callback` : null,
    certificateEndsAt: ends.toSorted()[0] ?? null,
  };
}

function shownAs(name: string, value: unknown): string {
  if (SECRETS.has(name)) return '***';
  if (LONG.has(name)) return Array.isArray(value) ? `${value.length}` : '…';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function addressOf(connection: Connection): string {
  switch (connection.protocol) {
    case 'oidc':
      return connection.issuer;
    case 'azure-ad':
      return `${connection.authority}/${connection.tenant}`;
    case 'oauth':
      return connection.authorizationEndpoint;
    case 'saml':
      return connection.ssoUrl;
    case 'cas':
      return connection.serverUrl;
    case 'ldap':
    case 'ad':
      return connection.url;
  }
}

function endOf(certificate: string): string | null {
  try {
    return new X509Certificate(certificate).validToDate.toISOString();
  } catch {
    return null;
  }
}

function findingOf(error: unknown, connection: Connection): ConnectionFinding {
  if (error instanceof ConnectionFault) return error.finding;
  return { kind: 'failed', said: wordsOf(error, connection) };
}

const LONGEST_WORDS = 500;

/** The error with its causes, without the secrets of the connection. */
function wordsOf(error: unknown, connection: Connection): string {
  const words: string[] = [];
  for (let each = error; each instanceof Error && words.length < 4; each = each.cause) {
    const code = 'code' in each && typeof each.code === 'string' ? ` (${each.code})` : '';
    words.push(`${each.message || each.name}${code}`);
  }
  const said = [...new Set(words)].join(': ') || String(error);
  const secrets = Object.entries(connection).flatMap(([name, value]) =>
    SECRETS.has(name) && typeof value === 'string' ? [value] : [],
  );
  return secrets
    .reduce((text, secret) => text.replaceAll(secret, '***'), said)
    .slice(0, LONGEST_WORDS);
}
