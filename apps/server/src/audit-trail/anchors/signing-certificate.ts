import type { Attribute } from '@peculiar/asn1-cms';
import { fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js';

const ID_SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const ID_SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const DIGESTS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

export interface NamedCertificate {
  readonly digest: string;
  readonly hash: Buffer;
}

/** The first certificate in signed attributes (RFC 2634, section 5.4; RFC 5035); undefined if there is none. */
export function signingCertificateHash(
  attributes: readonly Attribute[],
): NamedCertificate | undefined {
  const find = (type: string): ArrayBuffer | undefined =>
    attributes.find(({ attrType }) => attrType === type)?.attrValues[0];
  const second = find(ID_SIGNING_CERTIFICATE_V2);
  if (second !== undefined) return firstOf(second, 'sha256');
  const first = find(ID_SIGNING_CERTIFICATE);
  return first === undefined ? undefined : firstOf(first, 'sha1');
}

/** SEQUENCE { certs SEQUENCE OF SEQUENCE { hashAlgorithm DEFAULT sha256 (second version), certHash, … }, … } */
function firstOf(der: ArrayBuffer, fallback: string): NamedCertificate | undefined {
  const [named] = itemsOf(itemsOf(fromBER(der).result)[0]);
  const items = itemsOf(named);
  const [algorithm] = itemsOf(items[0]);
  const hash = items.find((item) => item instanceof OctetString);
  const digest = algorithm instanceof ObjectIdentifier ? DIGESTS[algorithm.getValue()] : fallback;
  if (hash === undefined || digest === undefined) return undefined;
  return { digest, hash: Buffer.from(hash.getValue()) };
}

const itemsOf = (item: unknown): readonly unknown[] =>
  item instanceof Sequence ? item.valueBlock.value : [];
