import type { TokenFault } from '@deviceportal/contract/session-refusals';

/**
 * A rejected token. `fault` is for programs, the message for the log; neither contains the token.
 */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly fault: TokenFault;
  /** Claim `exp` of an expired token. */
  readonly exp: number | undefined;

  constructor(
    fault: TokenFault,
    detail?: string,
    { exp, ...options }: { readonly cause?: unknown; readonly exp?: number | undefined } = {},
  ) {
    super(detail === undefined ? fault : `${fault}: ${detail}`, options);
    this.fault = fault;
    this.exp = exp;
  }
}
