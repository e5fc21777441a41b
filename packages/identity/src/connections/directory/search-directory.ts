import { isIP } from 'node:net';
import {
  AndFilter,
  Client,
  EqualityFilter,
  FilterParser,
  InvalidCredentialsError,
  OrFilter,
  SizeLimitExceededError,
  type Entry,
} from 'ldapts';
import type { DirectoryConnection } from '../connection.ts';
import { textOf, type OutsidePerson } from '../outside-person.ts';

const ATTRIBUTES = ['mail', 'displayName', 'cn', 'givenName', 'sn'];

/**
 * The person of a directory whose name and password these are: looked up as the service, then bound as themselves
 * (RFC 4513, section 5.1). Undefined for a wrong name or password, and for a name that several have.
 * @throws ldapts' errors when the directory does not answer, or refuses the service
 */
export async function findInDirectory(
  connection: DirectoryConnection,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<OutsidePerson | undefined> {
  // A bind without a password succeeds anonymously (RFC 4513, section 5.1.2).
  if (password === '') return undefined;
  const { url, timeoutMs, certificateAuthority, startTls } = connection;
  const tlsOptions = certificateAuthority === undefined ? {} : { ca: certificateAuthority };
  const client = new Client({
    url,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    ...(url.startsWith('ldaps:') && { tlsOptions }),
  });
  try {
    // The library does not know the host name when it starts TLS, and would use `localhost`.
    if (startTls) await client.startTLS({ ...tlsOptions, ...nameOf(url) });
    await client.bind(connection.bindDn, connection.bindPassword);
    const entry = await findEntry(client, connection, username);
    if (entry === undefined || !(await isPasswordOf(client, entry, password))) return undefined;
    return personOf(entry, connection);
  } finally {
    await client.unbind().catch(() => undefined);
  }
}

/** Expected host name of the certificate. */
function nameOf(url: string): { readonly host: string; readonly servername?: string } {
  const host = new URL(url).hostname.replaceAll(/[[\]]/g, '');
  // RFC 6066, section 3: addresses are no server names.
  return isIP(host) === 0 ? { host, servername: host } : { host };
}

async function findEntry(
  client: Client,
  { baseDn, filter, loginAttributes, subjectAttribute }: DirectoryConnection,
  username: string,
): Promise<Entry | undefined> {
  // Built from objects instead of text, so that typed characters are always values.
  const named = loginAttributes.map(
    (attribute) => new EqualityFilter({ attribute, value: username }),
  );
  const { searchEntries } = await client
    .search(baseDn, {
      scope: 'sub',
      filter: new AndFilter({
        filters: [FilterParser.parseString(filter), new OrFilter({ filters: named })],
      }),
      attributes: [...ATTRIBUTES, subjectAttribute],
      explicitBufferAttributes: subjectAttribute === 'objectGUID' ? ['objectGUID'] : [],
      sizeLimit: 2,
    })
    .catch((error: unknown) => {
      if (error instanceof SizeLimitExceededError) return { searchEntries: [] };
      throw error;
    });
  return searchEntries.length === 1 ? searchEntries[0] : undefined;
}

async function isPasswordOf(client: Client, entry: Entry, password: string): Promise<boolean> {
  try {
    await client.bind(entry.dn, password);
    return true;
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false;
    throw error;
  }
}

function personOf(entry: Entry, { subjectAttribute }: DirectoryConnection): OutsidePerson {
  const raw: unknown = entry[subjectAttribute];
  const subject = Buffer.isBuffer(raw) ? raw.toString('hex') : textOf(raw);
  return {
    // Without a permanent ID, the entry's distinguished name is used.
    subject: subject ?? entry.dn.toLowerCase(),
    email: textOf(entry['mail']),
    // The address is provided by the organization itself.
    emailVerified: true,
    name: textOf(entry['displayName']) ?? textOf(entry['cn']),
    nickname: textOf(entry['givenName']),
  };
}
