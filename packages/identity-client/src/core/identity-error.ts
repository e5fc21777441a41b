/**
 * Codes of errors that the client itself detects. Errors of the provider have the provider's number
 * instead.
 */
export type LocalErrorCode =
  | 'CONFIGURATION'
  | 'FLOW_REFUSED'
  | 'INVALID_ARGUMENT'
  | 'MALFORMED_REPLY'
  | 'NOT_ENCRYPTED'
  | 'NOT_SIGNED_IN'
  | 'POPUP_BLOCKED'
  | 'POPUP_CLOSED'
  | 'PROVIDER_NOT_FOUND'
  | 'SOCKET_LOST'
  | 'UPLOAD_CANCELED'
  | 'USER_NOT_FOUND';

/**
 * Source of an error:
 * - `provider`: the provider rejected the call.
 * - `http`: the HTTP status was not successful.
 * - `network`: no response was received.
 * - `local`: the client detected the error.
 */
export type ErrorSource = 'provider' | 'http' | 'network' | 'local';

/** Details of an error in addition to its message. */
export interface IdentityErrorDetails {
  /**
   * The provider's number, the HTTP status if there is no such number, 500 without a response, or a
   * local code.
   */
  readonly code: number | LocalErrorCode;
  readonly data?: unknown;
  readonly cause?: unknown;
  /** The more specific number of newer endpoints, or the code in the body of an HTTP error. */
  readonly apiCode?: unknown;
  /** Defaults to `provider` for a number and `local` otherwise. */
  readonly source?: ErrorSource;
}

/**
 * The error of every failed call. Only aborting with the caller's AbortSignal rejects with the
 * signal's reason instead.
 */
export class IdentityError extends Error {
  readonly code: number | LocalErrorCode;
  readonly data: unknown;
  readonly apiCode: unknown;
  readonly source: ErrorSource;

  constructor(message: string, details: IdentityErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'IdentityError';
    this.code = details.code;
    this.data = details.data;
    this.apiCode = details.apiCode;
    this.source = details.source ?? (typeof details.code === 'number' ? 'provider' : 'local');
  }
}
