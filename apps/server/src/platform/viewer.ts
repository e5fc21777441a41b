import type { Grant } from '@deviceportal/contract/permissions';

/** Permissions that expire or can be ended early. */
export interface TemporaryGrant extends Grant {
  readonly accessGrantId: string;
  /** Name of the granted role. */
  readonly name: string;
  readonly until: string;
}

export interface VerifiedAddresses {
  readonly email: string | null;
  readonly phone: string | null;
}

/** The user of an API call, from the token and the portal's roles. */
export interface Viewer {
  readonly userId: string;
  /** The user pool's `sub`. */
  readonly subject: string;
  readonly username: string;
  readonly displayName: string;
  readonly email: string | null;
  /** The addresses that the provider of the sign-in has verified, as its token states. Default: none. */
  readonly verified?: VerifiedAddresses | undefined;
  readonly roles: readonly string[];
  readonly grants: readonly Grant[];
  /** The temporary ones of `grants`. Default: none. */
  readonly temporary?: readonly TemporaryGrant[];
  /** The permanent ones of `grants`. Default: all. */
  readonly lasting?: readonly Grant[];
  /**
   * Whether an administrator admitted the user: by an invitation, a role, or the administrators'
   * group.
   */
  readonly admitted: boolean;
  /** True for administrators who must add a passkey first; then they have no grants. */
  readonly mustAddPasskey?: boolean;
  /** Time of the sign-in (`auth_time`), for the session's absolute end. */
  readonly signedInAt: Date;
  /** ID of the sign-in (`origin_jti`); undefined if the provider has none. */
  readonly signInId?: string | undefined;
  /**
   * Set if a service calls instead of a user: a connection of a directory by SCIM, an application with a
   * service token, or the server itself.
   */
  readonly service?: {
    readonly kind: 'directory' | 'api-token' | 'server';
    readonly id: string;
    readonly name: string;
  };
  /** The token of a call of `/api/v1`; its grants are the ones of the viewer. */
  readonly apiToken?: { readonly id: string; readonly name: string; readonly expiresAt: Date };
}

/** Origin of an audit event of a user. */
export interface RequestOrigin {
  readonly requestId: string;
  /** IP address of the browser. */
  readonly address: string;
  readonly userAgent?: string | undefined;
  /** The user's active case, to which actions are linked. */
  readonly caseId?: string | null | undefined;
  /**
   * Requires a fresh second step of the session (`StepUpGate`); absent for work of the server itself.
   * @throws PortalError 1000 with the reason `step-up-required`
   */
  readonly requireStepUp?: () => Promise<void>;
}

/** Caller of a use case. */
export interface Caller extends RequestOrigin {
  readonly viewer: Viewer;
}
