import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate,
  X509CertificateGenerator,
  type ExtendedKeyUsage,
  type Extension,
  type PublicKeyType,
} from '@peculiar/x509';
import { frameOf, importKey, type KeyAndCertificate } from './certificate-files.ts';

export interface Leaf {
  readonly subject: string;
  readonly publicKey: PublicKeyType;
  readonly usage: ExtendedKeyUsage;
  readonly now: Date;
  readonly days: number;
  /** Start of validity; default: an hour ago. */
  readonly notBefore?: Date;
  readonly extensions?: readonly Extension[];
}

/** Issues a certificate from this authority that cannot sign others. */
export async function issueLeafCertificate(
  authority: KeyAndCertificate,
  { now, days, notBefore, usage, extensions = [], ...leaf }: Leaf,
): Promise<X509Certificate> {
  const issuer = new X509Certificate(authority.certificate);
  return X509CertificateGenerator.create(
    {
      ...leaf,
      ...frameOf(now, days),
      ...(notBefore && { notBefore }),
      issuer: issuer.subject,
      signingKey: await importKey(authority.key),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([usage]),
        ...extensions,
        await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ],
    },
    webcrypto,
  );
}
