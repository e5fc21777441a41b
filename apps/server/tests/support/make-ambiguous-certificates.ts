import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** Timestamping certificates with the same name and key, each of which could have issued the others. */
export async function makeAmbiguousCertificates(count: number): Promise<X509Certificate[]> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const twins: X509Certificate[] = [];
  for (let index = 1; index <= count; index += 1) {
    const { rawData } = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=Twin',
      serialNumber: index.toString(16).padStart(2, '0'),
      keys,
      signingAlgorithm: ALGORITHM,
      notBefore: new Date(Date.now() - DAY_MS),
      notAfter: new Date(Date.now() + DAY_MS),
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.8'], true),
      ],
    });
    twins.push(new X509Certificate(Buffer.from(rawData)));
  }
  return twins;
}
