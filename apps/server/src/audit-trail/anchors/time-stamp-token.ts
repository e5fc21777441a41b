import { createHash, verify, X509Certificate } from 'node:crypto';
import { ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { TSTInfo } from '@peculiar/asn1-tsp';
import { InvalidTimeStamp } from './invalid-time-stamp.ts';
import { signedAttributesOf } from './signed-attributes.ts';
import { signingCertificateHash } from './signing-certificate.ts';
import { requireTimeStampingCertificate } from './time-stamping-certificate.ts';
import { ID_SHA256 } from './time-stamp-request.ts';

export interface TimeStamp {
  /** When the hash existed, by the clock of the authority. */
  readonly at: Date;
  /** Subject of the authority's certificate. */
  readonly authority: string;
}

export interface TimeStampCheck {
  /** SHA-256 that must have been stamped. */
  readonly hash: Uint8Array;
  /** Of the request; left out where a token is checked later. */
  readonly nonce?: Uint8Array;
  /** Certificates of trusted authorities. */
  readonly roots: readonly X509Certificate[];
}

const ID_SIGNED_DATA = '1.2.840.113549.1.7.2';
const ID_TST_INFO = '1.2.840.113549.1.9.16.1.4';
const ID_CONTENT_TYPE = '1.2.840.113549.1.9.3';
const ID_MESSAGE_DIGEST = '1.2.840.113549.1.9.4';

/** SHA-1 is refused. */
const DIGESTS: Readonly<Record<string, string>> = {
  [ID_SHA256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** RSA (PKCS #1 v1.5) and ECDSA; null: with the digest of the signer. */
const SIGNATURES: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.1': null,
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};

/**
 * Verifies a time-stamp token (RFC 3161, section 2.4.2; CMS, RFC 5652): imprint, nonce, signature, the certificate that
 * the signature names (RFC 5816), its purpose and its chain at the time of the stamp. Revocation is not looked up.
 *
 * @throws InvalidTimeStamp
 */
export function verifyTimeStamp(token: Uint8Array, check: TimeStampCheck): TimeStamp {
  try {
    return verifyParts(token, check);
  } catch (error) {
    if (error instanceof InvalidTimeStamp) throw error;
    // ASN.1 or a certificate in it that cannot be read.
    throw new InvalidTimeStamp('cannot be read');
  }
}

function verifyParts(token: Uint8Array, check: TimeStampCheck): TimeStamp {
  const { signed, signer, content } = parse(token);
  const info = AsnConvert.parse(content, TSTInfo);
  requireImprint(info, check);
  const certificates = certificatesOf(signed);
  const certificate = signerOf(signer, certificates);
  requireSignature(signer, { content, certificate, attributes: signedAttributesOf(token) });
  requireTimeStampingCertificate(certificate, {
    others: certificates,
    roots: check.roots,
    at: info.genTime,
  });
  return { at: info.genTime, authority: certificate.subject.replaceAll('\n', ', ') };
}

interface ParsedToken {
  readonly signed: SignedData;
  readonly signer: SignerInfo;
  /** DER of the TSTInfo. */
  readonly content: Buffer;
}

function parse(token: Uint8Array): ParsedToken {
  const outer = AsnConvert.parse(token, ContentInfo);
  if (outer.contentType !== ID_SIGNED_DATA) throw new InvalidTimeStamp('is not a signature');
  const signed = AsnConvert.parse(outer.content, SignedData);
  const { eContentType, eContent } = signed.encapContentInfo;
  const [signer, second] = signed.signerInfos;
  if (eContentType !== ID_TST_INFO || signer === undefined || second !== undefined) {
    throw new InvalidTimeStamp('is not a time stamp');
  }
  const content = eContent?.single?.buffer ?? joined(eContent?.any);
  return { signed, signer, content: Buffer.from(content) };
}

function joined(any: ArrayBuffer | undefined): ArrayBuffer {
  if (any === undefined) throw new InvalidTimeStamp('is empty');
  return AsnConvert.parse(any, OctetString).buffer;
}

function requireImprint(info: TSTInfo, { hash, nonce }: TimeStampCheck): void {
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (hashAlgorithm.algorithm !== ID_SHA256 || !isSame(hashedMessage.buffer, hash)) {
    throw new InvalidTimeStamp('is for other data');
  }
  if (nonce === undefined) return;
  if (info.nonce === undefined || !isSame(info.nonce, nonce)) {
    throw new InvalidTimeStamp('does not belong to this request');
  }
}

function certificatesOf({ certificates = [] as never }: SignedData): X509Certificate[] {
  return [...certificates].flatMap(({ certificate }) =>
    certificate === undefined
      ? []
      : [new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)))],
  );
}

/** The certificate that the signed attributes name: another one with the same key does not do. */
function signerOf(signer: SignerInfo, certificates: readonly X509Certificate[]): X509Certificate {
  const named = signingCertificateHash(signer.signedAttrs ?? []);
  if (named === undefined) throw new InvalidTimeStamp('does not name its certificate');
  const found = certificates.find(({ raw }) =>
    createHash(named.digest).update(raw).digest().equals(named.hash),
  );
  if (found === undefined) throw new InvalidTimeStamp('does not contain its certificate');
  return found;
}

function requireSignature(
  signer: SignerInfo,
  {
    content,
    certificate,
    attributes,
  }: {
    readonly content: Buffer;
    readonly certificate: X509Certificate;
    readonly attributes: Buffer | undefined;
  },
): void {
  const digest = DIGESTS[signer.digestAlgorithm.algorithm];
  const ofSignature = SIGNATURES[signer.signatureAlgorithm.algorithm];
  if (digest === undefined || ofSignature === undefined || attributes === undefined) {
    throw new InvalidTimeStamp('has an unsupported signature algorithm');
  }
  const digestOf = attributeOf(signer, ID_MESSAGE_DIGEST, OctetString);
  const isOfContent =
    digestOf !== undefined &&
    createHash(digest).update(content).digest().equals(Buffer.from(digestOf.buffer)) &&
    hasContentType(signer);
  const signature = Buffer.from(signer.signature.buffer);
  if (
    !isOfContent ||
    !verify(ofSignature ?? digest, attributes, certificate.publicKey, signature)
  ) {
    throw new InvalidTimeStamp('has an invalid signature');
  }
}

function attributeOf<Type>(
  { signedAttrs = [] }: SignerInfo,
  type: string,
  schema: new () => Type,
): Type | undefined {
  const [value] = signedAttrs.find(({ attrType }) => attrType === type)?.attrValues ?? [];
  return value === undefined ? undefined : AsnConvert.parse(value, schema);
}

function hasContentType({ signedAttrs = [] }: SignerInfo): boolean {
  const [value] =
    signedAttrs.find(({ attrType }) => attrType === ID_CONTENT_TYPE)?.attrValues ?? [];
  return value !== undefined && Buffer.from(value).equals(TST_INFO_OID);
}

/** DER of `ID_TST_INFO`. */
const TST_INFO_OID = Buffer.from('060b2a864886f70d0109100104', 'hex');

const isSame = (one: ArrayBuffer, other: Uint8Array): boolean =>
  Buffer.from(one).equals(Buffer.from(other));
