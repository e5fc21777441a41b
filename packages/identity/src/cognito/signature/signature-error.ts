export type SignatureFault =
  /** No signature at all. */
  | 'missing'
  /** A part of the signature's header is missing or malformed. */
  | 'incomplete'
  /** No such access key, a revoked one, or another session token. */
  | 'unknownKey'
  | 'mismatch'
  /** Signed too early or too late by our clock, or for another service or region. */
  | 'notYetValid'
  | 'stale'
  | 'wrongScope'
  /** The credentials have ended, or the sign-in that they came from. */
  | 'credentialsExpired';

/**
 * Why a signed request is rejected. The message can be shown to the client and contains no secret.
 */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** AWS's own words, which its tools recognize. */
export function signatureMismatch(): SignatureError {
  return new SignatureError(
    'mismatch',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
  );
}

export function unknownKey(): SignatureError {
  return new SignatureError('unknownKey', 'The security token included in the request is invalid.');
}

export function credentialsExpired(): SignatureError {
  return new SignatureError(
    'credentialsExpired',
    'The security token included in the request is expired',
  );
}
