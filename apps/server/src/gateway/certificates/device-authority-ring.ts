import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { z } from 'zod';
import {
  ringSchemaOf,
  RotationRing,
  type RingContent,
} from '../../platform/secrets/rotation-ring.ts';
import type { SecretEngine } from '../../platform/secrets/secret-engine.ts';
import {
  exportKey,
  frameOf,
  generateKeys,
  newSerialNumber,
  pairOf,
  pairText,
  type KeyAndCertificate,
} from './certificate-files.ts';

const AUTHORITY_NAME = 'CN=Device Portal device authority';
const AUTHORITY_DAYS = 3_650;
/** Key and certificate of an authority that has never been rotated. */
export const FIRST_AUTHORITY_FILE = 'certificates/authority.pem';
export const DEVICE_AUTHORITY_FILE = 'certificates/device-authority.json';
/** Certificates without keys, for an external broker. */
export const AUTHORITIES_FILE = 'certificates/device-authorities.crt';

/** An authority that no longer signs, and whose certificates are accepted until its devices have renewed them. */
export interface EarlierAuthority {
  /** PEM. */
  readonly certificate: string;
  readonly acceptedUntil: Date;
}

const pairSchema = z.object({ key: z.string(), certificate: z.string() });
const ringSchema = ringSchemaOf(
  pairSchema,
  z.object({
    certificate: z.string(),
    acceptedUntil: z.iso.datetime().transform((text) => new Date(text)),
  }),
);
type Authorities = RingContent<KeyAndCertificate, EarlierAuthority>;

/**
 * The authorities of device certificates: one signs, and several are accepted during a rotation. The next one is
 * announced to devices in advance, so that they accept what it will sign.
 */
export class DeviceAuthorityRing extends RotationRing<KeyAndCertificate, EarlierAuthority> {
  /** Creates the next authority, if there is none. */
  prepare(now: Date): Promise<void> {
    return this.prepareNext(() => makeAuthority(now));
  }

  /** The next authority becomes the one that signs; the private key of the previous one is destroyed. */
  promote(acceptedUntil: Date): Promise<void> {
    return this.promoteNext(({ certificate }) => ({ certificate, acceptedUntil }));
  }

  /** Stops accepting earlier authorities whose time has ended. Returns their certificates. */
  async endEarlier(now: Date): Promise<readonly string[]> {
    const ended = await this.dropEarlier(({ acceptedUntil }) => acceptedUntil <= now);
    return ended.map(({ certificate }) => certificate);
  }
}

/** Opens the authorities of an installation; the first call creates one. */
export async function openDeviceAuthorityRing(
  store: SecretEngine,
  now: Date,
): Promise<DeviceAuthorityRing> {
  const first = (await read(store)) ?? (await makeFirst(store, now));
  let published = (await store.read(AUTHORITIES_FILE))?.toString('utf8');
  const publish = async (authorities: Authorities): Promise<void> => {
    const text = authoritiesOf(authorities);
    if (text === published) return;
    await store.replace(AUTHORITIES_FILE, Buffer.from(text));
    published = text;
  };
  await publish(first);
  return new DeviceAuthorityRing('device authority', first, {
    read: async () => {
      const found = await read(store);
      if (found !== undefined) await publish(found);
      return found;
    },
    write: async (changed) => {
      await store.replace(DEVICE_AUTHORITY_FILE, Buffer.from(`${JSON.stringify(changed)}\n`));
      // The private key in this file must not outlive the one in the other file.
      await store.remove(FIRST_AUTHORITY_FILE);
      await publish(changed);
    },
  });
}

/** PEM of every accepted authority and of the next one; the one that signs comes first. */
export function authoritiesOf({
  current,
  next,
  earlier,
}: Pick<Authorities, 'current' | 'next' | 'earlier'>): string {
  return [current, ...(next ? [next] : []), ...earlier]
    .map(({ certificate }) => `${certificate.trim()}\n`)
    .join('');
}

/** The existing authorities; undefined before the first server with the role gateway. */
export const findDeviceAuthorities = (store: SecretEngine): Promise<Authorities | undefined> =>
  read(store);

async function read(store: SecretEngine): Promise<Authorities | undefined> {
  const text = await store.read(DEVICE_AUTHORITY_FILE);
  if (text !== undefined) return ringSchema.parse(JSON.parse(text.toString('utf8')));
  const first = await store.read(FIRST_AUTHORITY_FILE);
  return first && { version: 1, current: pairOf(first), earlier: [] };
}

async function makeFirst(store: SecretEngine, now: Date): Promise<Authorities> {
  const made = await makeAuthority(now);
  // Another server of the same installation may have created one first; use that.
  const kept = await store.create(FIRST_AUTHORITY_FILE, pairText(made));
  return { version: 1, current: pairOf(kept), earlier: [] };
}

async function makeAuthority(now: Date): Promise<KeyAndCertificate> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      ...frameOf(now, AUTHORITY_DAYS),
      // Authorities that are accepted at the same time have different names.
      name: `${AUTHORITY_NAME} ${now.toISOString().slice(0, 10)} ${newSerialNumber().slice(0, 8)}`,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    },
    webcrypto,
  );
  return { key: await exportKey(keys.privateKey), certificate: certificate.toString('pem') };
}

/** Whether one of these authorities issued a certificate. */
export async function isIssuedByOne(
  certificate: X509Certificate,
  authorities: readonly string[],
): Promise<boolean> {
  for (const pem of authorities) {
    const authority = new X509Certificate(pem);
    if (certificate.issuer !== authority.subject) continue;
    const { publicKey } = authority;
    if (await certificate.verify({ publicKey, signatureOnly: true }, webcrypto)) return true;
  }
  return false;
}
