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
  | 'guest'
  /** The role of the credentials, or the policy of their session, does not allow it. */
  | 'notAllowed';

/** Why a signed URL is rejected. The message can be shown to the client and contains no secret. */
export class SignedUrlError extends Error {
  override readonly name = 'SignedUrlError';
  readonly fault: SignedUrlFault;

  constructor(fault: SignedUrlFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
