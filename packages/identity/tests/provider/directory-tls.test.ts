import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectionsSchema,
  isDirectory,
  type Connections,
} from '../../src/connections/connection.ts';
import { findInDirectory } from '../../src/connections/directory/search-directory.ts';
import type { OutsidePerson } from '../../src/connections/outside-person.ts';
import { makeCertificateAuthority, type CertificateAuthority } from './support/certificates.ts';
import {
  BASE,
  SERVICE,
  hasDirectory,
  openDirectory,
  type Directory,
} from './support/open-directory.ts';

const ANNA = { username: 'anna', password: 'Anna’s own password 1' };

let authority: CertificateAuthority;
/** Its certificate is for the name `localhost`, and for no address. */
let directory: Directory;
/** Has no certificate at all. */
let plain: Directory;

type Settings = Partial<Extract<Connections[number], { protocol: 'ldap' }>>;

/** A sign-in as the calls make it (directory-sign-in.walk.test.ts): who it is, or what the operator finds in the log. */
async function signIn(settings: Settings): Promise<OutsidePerson | undefined> {
  const [connection] = connectionsSchema.parse([
    {
      ...{ protocol: 'ldap', identifier: 'corp', displayName: 'Corp' },
      ...{ bindDn: SERVICE.dn, bindPassword: SERVICE.password, baseDn: BASE },
      url: directory.secureUrl,
      certificateAuthority: authority.certificate,
      ...settings,
    },
  ]);
  if (connection === undefined || !isDirectory(connection)) throw new Error('no directory');
  return findInDirectory(connection, ANNA);
}

const numeric = (url: string): string => url.replace('localhost', '127.0.0.1');

describe.skipIf(!hasDirectory)('a directory behind TLS', () => {
  beforeAll(async () => {
    authority = await makeCertificateAuthority();
    const tls = await authority.issue([{ type: 'dns', value: 'localhost' }]);
    [directory, plain] = await Promise.all([openDirectory(tls), openDirectory()]);
    for (const each of [directory, plain]) {
      await each.add('anna', { uid: 'anna', displayName: 'Anna', userPassword: ANNA.password });
    }
  });
  afterAll(async () => {
    await directory[Symbol.asyncDispose]();
    await plain[Symbol.asyncDispose]();
  });

  test('users sign in by ldaps, and by STARTTLS', async () => {
    expect((await signIn({}))?.name).toBe('Anna');
    expect((await signIn({ url: directory.url, startTls: true }))?.name).toBe('Anna');
  });

  test('[provider-directory-tls-2] an untrusted certificate is rejected and logged', async () => {
    const other = (await makeCertificateAuthority()).certificate;
    const reason = /unable to (?:verify|get)|self.signed|certificate signature/;
    const startTls = { url: directory.url, startTls: true };
    await expect(signIn({ certificateAuthority: other })).rejects.toThrow(reason);
    await expect(signIn({ certificateAuthority: undefined })).rejects.toThrow(reason);
    await expect(signIn({ certificateAuthority: other, ...startTls })).rejects.toThrow(reason);
  });

  test('a certificate for another name is rejected, and the name is logged', async () => {
    const reason = "IP: 127.0.0.1 is not in the cert's list";
    await expect(signIn({ url: numeric(directory.secureUrl) })).rejects.toThrow(reason);
    const upgraded = { url: numeric(directory.url), startTls: true };
    await expect(signIn(upgraded)).rejects.toThrow(reason);
  });

  test('[provider-directory-tls-4] if encryption is required but not available, sign-in is rejected', async () => {
    await expect(signIn({ url: plain.url, startTls: true })).rejects.toThrow(/./);
    await expect(signIn({ url: plain.url.replace('ldap:', 'ldaps:') })).rejects.toThrow(/./);
  });
});
