import type pg from 'pg';

/** Actor and source of an administrative action. */
export interface ActOrigin {
  readonly actor: ActActor;
  /** Undefined for what the server itself does. */
  readonly address: string | undefined;
  readonly requestId: string | undefined;
}

export interface ActActor {
  readonly kind: 'server' | 'person' | 'accessKey' | 'service';
  /** A person's `sub`, or the ID of the access key or of the service that the portal admitted. */
  readonly id: string | undefined;
  readonly name: string;
}

/** The server itself: first start, the operator's commands. */
export const serverOrigin: ActOrigin = {
  actor: { kind: 'server', id: undefined, name: 'Device Portal' },
  address: undefined,
  requestId: undefined,
};

export type ActKind =
  | 'userCreated'
  | 'userChanged'
  | 'userDisabled'
  | 'userEnabled'
  | 'userUnlocked'
  | 'userDeleted'
  | 'userSignedOut'
  | 'groupCreated'
  | 'groupMemberAdded'
  | 'groupMemberRemoved'
  | 'accessKeyCreated'
  | 'accessKeyRevoked'
  | 'roleAssumed'
  | ProviderActKind;

/** Actions at the provider: applications, departments, and roles. */
export type ProviderActKind =
  | 'applicationCreated'
  | 'applicationChanged'
  | 'applicationRemoved'
  | 'applicationSecretRotated'
  | 'programKeyCreated'
  | 'programKeyRevoked'
  | 'samlServiceSaved'
  | 'samlServiceRemoved'
  | 'departmentCreated'
  | 'departmentChanged'
  | 'departmentRemoved'
  | 'departmentMemberAdded'
  | 'departmentMemberRemoved'
  | 'roleCreated'
  | 'roleChanged'
  | 'roleRemoved'
  | 'roleMemberAdded'
  | 'roleMemberRemoved';

/** Something that was done to users, groups, keys or roles. Never a secret in it. */
export interface AdministrationAct extends ActOrigin {
  readonly kind: ActKind;
  readonly at: Date;
  /** The user it was done to. */
  readonly user: { readonly sub: string; readonly username: string } | undefined;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Writes an act down on the connection, and so in the transaction, of the act itself. */
export type WriteAct = (client: pg.PoolClient, act: AdministrationAct) => Promise<void>;
