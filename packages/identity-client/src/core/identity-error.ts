/** What can go wrong on this side of the wire. Whatever the provider refuses has the provider's number instead. */
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
  | 'UPLOAD_CANCELLED'
  | 'USER_NOT_FOUND';

/**
 * Who failed: the `provider` refused, `http` answered with a status that is none of success, no answer came over the
 * `network`, or this package found the failure (`local`).
 */
export type ErrorSource = 'provider' | 'http' | 'network' | 'local';

/** What an error says besides its message. */
export interface IdentityErrorDetails {
  /** The provider's number, the HTTP status when nothing else is known, 500 without any answer, or a local code. */
  readonly code: number | LocalErrorCode;
  readonly data?: unknown;
  readonly cause?: unknown;
  /** The finer number of newer endpoints, or the body's own code beside an HTTP failure. */
  readonly apiCode?: unknown;
  /** Without it: `provider` for a number, `local` for anything else. */
  readonly source?: ErrorSource;
}

/** Every failure of this package; only the caller's own AbortSignal rejects with its own reason. */
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
