import type { Policy } from '../policy/policy-document.ts';

/** The principal of a credential, with its permissions. */
export interface Principal {
  readonly kind: 'accessKey' | 'identity' | 'roleSession';
  readonly accessKeyId: string;
  /** `arn:aws:iam::…:user/deviceportal/NAME` or `arn:aws:sts::…:assumed-role/ROLE/SESSION`. */
  readonly arn: string;
  /** As GetCallerIdentity gives it: `AIDA…`, or the role's id, a colon and the session's name. */
  readonly userId: string;
  /** For records: the user's username, or the access key's name. */
  readonly name: string;
  /** The signed-in user; undefined for guests and applications. */
  readonly person: PrincipalPerson | undefined;
  /** Of the identity pool. */
  readonly identityId: string | undefined;
  readonly policies: readonly Policy[];
  /** Narrows what the role allows. */
  readonly sessionPolicies: readonly Policy[] | undefined;
  readonly sourceIdentity: string | undefined;
  /** The access key that everything here came from: it ends with that. Undefined for people. */
  readonly longLivedKeyId: string | undefined;
  readonly issuedAt: Date;
  /** Undefined for access keys: they end by being revoked. */
  readonly expiresAt: Date | undefined;
}

export interface PrincipalPerson {
  readonly sub: string;
  readonly username: string;
  /** Groups of this moment; of a person of another provider those of their login. */
  readonly groups: readonly string[];
  /** The session of the credentials; null for a session at another provider. */
  readonly originJti: string | null;
}
