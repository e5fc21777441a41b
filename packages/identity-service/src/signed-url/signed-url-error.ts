export type SignedUrlFault =
  | 'malformed'
  | 'unknownKey'
  | 'signatureMismatch'
  | 'notYetValid'
  | 'expired'
  | 'lifetimeTooLong'
  | 'credentialsExpired'
  | 'signedOut'
  | 'userDisabled'
  | 'guest';

/** Why a signed URL opens nothing. The message may be told to the client; it holds no secret. */
export class SignedUrlError extends Error {
  override readonly name = 'SignedUrlError';
  readonly fault: SignedUrlFault;

  constructor(fault: SignedUrlFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
