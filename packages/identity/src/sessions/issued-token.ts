export interface IssuedToken {
  /** A JWT: RS256, `{iss, aud, sub, sid, data: {id, userPoolId, arn}, iat, exp}`. */
  readonly token: string;
  readonly sessionId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}
