/** Error codes of RFC 6749, section 5.2, RFC 7009, and RFC 8628, section 3.5. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'temporarily_unavailable'
  | 'server_error';

interface OAuthErrorOptions {
  readonly status?: number;
  readonly cause?: unknown;
}

/** An error that an OAuth client receives. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: number;

  constructor(
    code: OAuthErrorCode,
    description: string,
    { status = 400, cause }: OAuthErrorOptions = {},
  ) {
    super(description, { cause });
    this.code = code;
    this.status = status;
  }
}
