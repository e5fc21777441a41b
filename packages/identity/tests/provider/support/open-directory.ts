import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../../../apps/server/src/platform/http/find-free-port.ts';
import { Attribute, Change, Client } from 'ldapts';

const PROGRAM = '/usr/sbin/slapd';
/** Tests that sign in with a directory are left out where its program is missing, and say so. */
export const hasDirectory = existsSync(PROGRAM);
export const BASE = 'dc=corp,dc=example';
export const SERVICE = { dn: `cn=service,${BASE}`, password: 'the password of the service' };

/** The attributes of Active Directory that a sign-in looks at, by their numbers there. */
const ACTIVE_DIRECTORY = `
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.656 NAME 'userPrincipalName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP top AUXILIARY MAY ( sAMAccountName $ userPrincipalName $ objectGUID ) )`;

export interface Directory extends AsyncDisposable {
  readonly url: string;
  /** Encrypted from the first byte; nothing is there without a certificate. */
  readonly secureUrl: string;
  add(name: string, attributes: Readonly<Record<string, string | Buffer>>): Promise<void>;
  setPassword(name: string, password: string): Promise<void>;
  stop(): Promise<void>;
}

/** A server's certificate and its key, PEM. */
export interface DirectoryTls {
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * OpenLDAP's server on a free port of this machine, with a database of its own.
 * @param tls for the name `localhost`
 */
export async function openDirectory(tls?: DirectoryTls): Promise<Directory> {
  const folder = await mkdtemp(join(tmpdir(), 'identity-directory-'));
  const port = await findFreePort('127.0.0.1');
  const securePort = await findFreePort('127.0.0.1');
  const host = tls === undefined ? '127.0.0.1' : 'localhost';
  const url = `ldap://${host}:${port}`;
  const secureUrl = `ldaps://${host}:${securePort}`;
  await mkdir(join(folder, 'data'));
  const config = join(folder, 'slapd.conf');
  await writeFile(config, configuration(folder, tls !== undefined));
  if (tls !== undefined) {
    await writeFile(join(folder, 'server.pem'), tls.certificate);
    await writeFile(join(folder, 'server.key'), tls.privateKey, { mode: 0o600 });
  }
  const doors = [`ldap://127.0.0.1:${port}/`, `ldaps://127.0.0.1:${securePort}/`];
  const server = spawn(
    PROGRAM,
    ['-f', config, '-h', doors.slice(0, tls ? 2 : 1).join(' '), '-d', '0'],
    { stdio: 'pipe' },
  );
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  }
  const exited = once(server, 'exit');
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null) server.kill('SIGTERM');
    await exited;
  };
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ url, connectTimeout: 2_000 });
    const isUp = await client.bind(SERVICE.dn, SERVICE.password).then(
      () => true,
      () => false,
    );
    await client.unbind().catch(() => undefined);
    if (isUp) break;
    if (server.exitCode !== null || attempt > 200) {
      throw new Error(`slapd does not answer:\n${output.slice(-4_000)}`);
    }
    await sleep(100);
  }
  const asService = async (work: (client: Client) => Promise<void>): Promise<void> => {
    const client = new Client({ url });
    await client.bind(SERVICE.dn, SERVICE.password);
    await work(client).finally(() => client.unbind());
  };
  await asService(async (client) => {
    await client.add(BASE, { objectClass: ['domain'], dc: 'corp' });
    await client.add(`ou=people,${BASE}`, { objectClass: ['organizationalUnit'], ou: 'people' });
  });
  return {
    url,
    secureUrl,
    add: (name, attributes) =>
      asService((client) =>
        client.add(dnOf(name), {
          objectClass: ['inetOrgPerson', 'user'],
          cn: name,
          sn: name,
          ...attributes,
        }),
      ),
    setPassword: (name, password) =>
      asService(async (client) => {
        const modification = new Attribute({ type: 'userPassword', values: [password] });
        await client.modify(dnOf(name), new Change({ operation: 'replace', modification }));
      }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const dnOf = (name: string): string => `cn=${name},ou=people,${BASE}`;

function configuration(folder: string, hasTls: boolean): string {
  const schemas = ['core', 'cosine', 'inetorgperson']
    .map((name) => `include /etc/ldap/schema/${name}.schema`)
    .join('\n');
  return `${schemas}
${ACTIVE_DIRECTORY}
pidfile ${folder}/slapd.pid
${hasTls ? `TLSCertificateFile ${folder}/server.pem\nTLSCertificateKeyFile ${folder}/server.key` : ''}
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
maxsize 10485760
suffix "${BASE}"
rootdn "${SERVICE.dn}"
rootpw "${SERVICE.password}"
directory ${folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by * read
`;
}
