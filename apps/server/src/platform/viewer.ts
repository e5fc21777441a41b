import type { Grant } from '@deviceportal/contract/permissions';

/** Rights of somebody that end by themselves, or are ended before. */
export interface TemporaryGrant extends Grant {
  readonly elevationId: string;
  /** Of the role that it gives. */
  readonly name: string;
  readonly until: string;
}

/** The person behind an API call, as the token and the portal's own roles say. */
export interface Viewer {
  readonly userId: string;
  /** The user pool's `sub`. */
  readonly subject: string;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly roles: readonly string[];
  readonly grants: readonly Grant[];
  /** Among `grants`: those that they hold for a time. Left out: none. */
  readonly temporary?: readonly TemporaryGrant[];
  /** Among `grants`: those that last. Left out: all of them. */
  readonly lasting?: readonly Grant[];
  /** An administrator let this person in: by an invitation, a role, or the group of the administrators. */
  readonly admitted: boolean;
  /** When the id token was issued for this sign-in (`auth_time`), for the session's absolute end. */
  readonly signedInAt: Date;
  /** The sign-in itself (`origin_jti`); undefined where the provider names none. */
  readonly signInId?: string | undefined;
}

/** Who did it and from where: what every audit event of a person needs. */
export interface RequestOrigin {
  readonly requestId: string;
  /** Network address of the browser. */
  readonly address: string;
  /** The case in which the person works, so that what they do is bound to it. */
  readonly caseId?: string | null | undefined;
}

/** Who calls a use-case, and from where. */
export interface Caller extends RequestOrigin {
  readonly viewer: Viewer;
}
