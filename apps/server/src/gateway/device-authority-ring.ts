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
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';
import {
  ALGORITHM,
  BACKDATE_MS,
  DAY_MS,
  exportKey,
  generateKeys,
  newSerialNumber,
  pairOf,
  pairText,
  type KeyAndCertificate,
} from './certificate-files.ts';

const AUTHORITY_NAME = 'CN=Device Portal device authority';
const AUTHORITY_DAYS = 3_650;
/** Key and certificate of an authority that was never rotated. */
const FIRST_FILE = 'certificates/authority.pem';
export const DEVICE_AUTHORITY_FILE = 'certificates/device-authority.json';
/** Certificates without keys, for a broker of the operator's. */
export const AUTHORITIES_FILE = 'certificates/device-authorities.crt';

/** An authority that signs no more, and whose devices are accepted until they have renewed their certificates. */
export interface EarlierAuthority {
  /** PEM. */
  readonly certificate: string;
  readonly acceptedUntil: Date;
}

/** The authorities behind device certificates: one signs, and several are accepted while it is rotated. */
export interface DeviceAuthorityRing {
  readonly current: KeyAndCertificate;
  /** Told to devices already, so that they accept what it will sign. */
  readonly next: KeyAndCertificate | undefined;
  /** The newest first. */
  readonly earlier: readonly EarlierAuthority[];
  refresh(): Promise<void>;
  /** Makes the next authority unless it is there. */
  prepare(now: Date): Promise<void>;
  /** From now on the next one signs; the private key before it is destroyed. */
  promote(acceptedUntil: Date): Promise<void>;
  /** Accepts the earlier ones no more whose time has come. Answers their certificates. */
  endEarlier(now: Date): Promise<readonly string[]>;
}

const pairSchema = z.object({ key: z.string(), certificate: z.string() });
const ringSchema = z.object({
  version: z.literal(1),
  current: pairSchema,
  next: pairSchema.optional(),
  earlier: z.array(
    z.object({
      certificate: z.string(),
      acceptedUntil: z.iso.datetime().transform((text) => new Date(text)),
    }),
  ),
});
type Authorities = z.output<typeof ringSchema>;

/** Opens the authorities of an installation; the first call makes one. */
export async function openDeviceAuthorityRing(
  store: SecretEngine,
  now: Date,
): Promise<DeviceAuthorityRing> {
  let held = (await read(store)) ?? (await makeFirst(store, now));
  let published = (await store.read(AUTHORITIES_FILE))?.toString('utf8');
  const publish = async (): Promise<void> => {
    const text = authoritiesOf(held);
    if (text === published) return;
    await store.replace(AUTHORITIES_FILE, Buffer.from(text));
    published = text;
  };
  await publish();
  const save = async (changed: Authorities): Promise<void> => {
    await store.replace(DEVICE_AUTHORITY_FILE, Buffer.from(`${JSON.stringify(changed)}\n`));
    // Its private key must not outlive the one in the file beside it.
    await store.remove(FIRST_FILE);
    held = changed;
    await publish();
  };
  const ring: DeviceAuthorityRing = {
    get current() {
      return held.current;
    },
    get next() {
      return held.next;
    },
    get earlier() {
      return held.earlier;
    },
    async refresh() {
      // A store that is away for a moment changes nothing.
      held = (await read(store)) ?? held;
      await publish();
    },
    async prepare(at) {
      await ring.refresh();
      if (held.next === undefined) await save({ ...held, next: await makeAuthority(at) });
    },
    async promote(acceptedUntil) {
      await ring.refresh();
      const { current, next, earlier } = held;
      if (next === undefined) throw new Error('there is no next device authority');
      const before = { certificate: current.certificate, acceptedUntil };
      await save({ version: 1, current: next, earlier: [before, ...earlier] });
    },
    async endEarlier(at) {
      await ring.refresh();
      const ended = held.earlier.filter(({ acceptedUntil }) => acceptedUntil <= at);
      if (ended.length > 0) {
        await save({ ...held, earlier: held.earlier.filter((each) => !ended.includes(each)) });
      }
      return ended.map(({ certificate }) => certificate);
    },
  };
  return ring;
}

/** PEM of every authority whose certificates are accepted, and of the next one; the one that signs comes first. */
export function authoritiesOf({
  current,
  next,
  earlier,
}: Pick<DeviceAuthorityRing, 'current' | 'earlier'> & {
  readonly next?: KeyAndCertificate | undefined;
}): string {
  return [current, ...(next ? [next] : []), ...earlier]
    .map(({ certificate }) => `${certificate.trim()}\n`)
    .join('');
}

/** The authorities that there are; undefined before the first server with the role gateway. */
export const findDeviceAuthorities = (
  store: SecretEngine,
): Promise<z.output<typeof ringSchema> | undefined> => read(store);

async function read(store: SecretEngine): Promise<Authorities | undefined> {
  const text = await store.read(DEVICE_AUTHORITY_FILE);
  if (text !== undefined) return ringSchema.parse(JSON.parse(text.toString('utf8')));
  const first = await store.read(FIRST_FILE);
  return first && { version: 1, current: pairOf(first), earlier: [] };
}

async function makeFirst(store: SecretEngine, now: Date): Promise<Authorities> {
  const made = await makeAuthority(now);
  // Another server of the same installation may have been quicker: its authority is the one.
  const kept = await store.create(FIRST_FILE, pairText(made));
  return { version: 1, current: pairOf(kept), earlier: [] };
}

async function makeAuthority(now: Date): Promise<KeyAndCertificate> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: newSerialNumber(),
      // Authorities that are accepted side by side have names of their own.
      name: `${AUTHORITY_NAME} ${now.toISOString().slice(0, 10)} ${newSerialNumber().slice(0, 8)}`,
      notBefore: new Date(now.getTime() - BACKDATE_MS),
      notAfter: new Date(now.getTime() + AUTHORITY_DAYS * DAY_MS),
      signingAlgorithm: ALGORITHM,
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

/** Whether one of these authorities has issued a certificate. */
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
