/** Names of the errors that the two services answer with (cognito.md, sections 1 to 3 and 6). */
export type WireErrorName =
  | 'AccessDeniedException'
  | 'AliasExistsException'
  | 'CodeDeliveryFailureException'
  | 'ExpiredTokenException'
  | 'ExternalServiceException'
  | 'GroupExistsException'
  | 'IncompleteSignatureException'
  | 'InternalErrorException'
  | 'InvalidIdentityPoolConfigurationException'
  | 'InvalidLambdaResponseException'
  | 'InvalidParameterException'
  | 'InvalidPasswordException'
  | 'InvalidSignatureException'
  | 'MissingAuthenticationTokenException'
  | 'NotAuthorizedException'
  | 'PasswordResetRequiredException'
  | 'RefreshTokenReuseException'
  | 'ResourceNotFoundException'
  | 'SerializationException'
  | 'TooManyRequestsException'
  | 'UnauthorizedException'
  | 'UnexpectedLambdaException'
  | 'UnknownOperationException'
  | 'UnrecognizedClientException'
  | 'UnsupportedOperationException'
  | 'UnsupportedTokenTypeException'
  | 'UnsupportedUserStateException'
  | 'UserLambdaValidationException'
  | 'UserNotConfirmedException'
  | 'UserNotFoundException'
  | 'UsernameExistsException';

/** A refusal as the client sees it. `cause` and `detail` stay on this side. */
export class WireError extends Error {
  override readonly name: WireErrorName;
  readonly detail: string | undefined;

  constructor(
    name: WireErrorName,
    message: string,
    options: { readonly detail?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = name;
    this.detail = options.detail;
  }
}

export function notAuthorized(message: string, detail?: string): WireError {
  return new WireError('NotAuthorizedException', message, detail === undefined ? {} : { detail });
}

export function invalidParameter(message: string): WireError {
  return new WireError('InvalidParameterException', message);
}

/** The wait in the text is what the sign-in screen counts down. */
export function tooManyRequests(retryAfterMs: number): WireError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new WireError(
    'TooManyRequestsException',
    `Attempt limit exceeded, please try again in ${seconds} s.`,
  );
}
