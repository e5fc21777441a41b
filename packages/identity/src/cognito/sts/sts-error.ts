/** Error codes of STS ("STS: common errors", AssumeRole) with their HTTP status. */
export const stsStatus = {
  AccessDenied: 403,
  ExpiredToken: 403,
  IncompleteSignature: 400,
  InternalFailure: 500,
  InvalidAction: 400,
  InvalidClientTokenId: 403,
  MalformedPolicyDocument: 400,
  MissingAuthenticationToken: 403,
  PackedPolicyTooLarge: 400,
  SignatureDoesNotMatch: 403,
  Throttling: 400,
  ValidationError: 400,
} as const;
export type StsErrorCode = keyof typeof stsStatus;

/** A refusal as the client sees it. */
export class StsError extends Error {
  override readonly name = 'StsError';
  readonly code: StsErrorCode;

  constructor(code: StsErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
