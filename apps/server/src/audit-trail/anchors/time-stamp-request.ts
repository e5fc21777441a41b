import { randomBytes } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, TimeStampReq, TimeStampReqVersion } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';

export const ID_SHA256 = '2.16.840.1.101.3.4.2.1';

const NONCE_BYTES = 16;

export interface TimeStampRequest {
  /** DER. */
  readonly der: Buffer;
  /** The response must contain it. */
  readonly nonce: Buffer;
}

/** Requests a time stamp of a SHA-256 hash, with the authority's certificate in the response (RFC 3161, section 2.4.1). */
export function makeTimeStampRequest(hash: Uint8Array): TimeStampRequest {
  const nonce = randomBytes(NONCE_BYTES);
  // A positive INTEGER in its shortest form.
  nonce[0] = (nonce.readUInt8(0) & 0x3f) | 0x40;
  const request = new TimeStampReq({
    version: TimeStampReqVersion.v1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: ID_SHA256, parameters: null }),
      hashedMessage: new OctetString(hash),
    }),
    nonce: new Uint8Array(nonce).buffer,
    certReq: true,
  });
  return { der: Buffer.from(AsnConvert.serialize(request)), nonce };
}
