import { createHmac } from 'node:crypto';
import { sha256Hex } from './canonical-request.ts';

export const ALGORITHM = 'AWS4-HMAC-SHA256';

/** Scope of a signature: one day, one region, one service. */
export interface CredentialScope {
  /** `20261120` */
  readonly day: string;
  readonly region: string;
  readonly service: string;
}

/** The SigV4 signature of a canonical request ("Create a signed AWS API request", steps 2 to 4). */
export function signatureOf(
  canonical: string,
  input: {
    readonly secretAccessKey: string;
    readonly scope: CredentialScope;
    /** `20261120T162740Z` */
    readonly amzDate: string;
  },
): Buffer {
  const { day, region, service } = input.scope;
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = [ALGORITHM, input.amzDate, scope, sha256Hex(canonical)].join('\n');
  const parts = [day, region, service, 'aws4_request', text];
  return parts.reduce(hmac, Buffer.from(`AWS4${input.secretAccessKey}`, 'utf8'));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}
