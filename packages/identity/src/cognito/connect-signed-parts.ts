import {
  createAccessKeyAdministration,
  type AccessKeyAdministration,
} from '../access-keys/access-key-administration.ts';
import {
  createAccountAdministration,
  type AccountAdministration,
} from '../administration/account-administration.ts';
import type { WriteAct } from '../administration/administration-act.ts';
import {
  createGroupAdministration,
  type GroupAdministration,
} from '../administration/group-administration.ts';
import { groupOperations } from './administration/group-operations.ts';
import {
  createUserAdministration,
  type UserAdministration,
} from '../administration/user-administration.ts';
import { userPoolActs } from '../administration/user-pool-acts.ts';
import { userOperations } from './administration/user-operations.ts';
import type { Messenger } from '../messenger.ts';
import type { FindPermissions } from './roles/assume-role.ts';
import { createRoleSessions, type RoleSessions } from './roles/role-sessions.ts';
import { readRoles, type Roles } from './roles/role.ts';
import { createFindKey } from './signature/find-key.ts';
import type { StsContext } from './sts/answer-sts.ts';
import type { PoolContext } from './user-pool/pool-context.ts';
import type { Operation } from './wire/operation.ts';

/** Services that use access keys, roles, and signatures. */
export interface SignedParts {
  readonly accounts: AccountAdministration;
  readonly users: UserAdministration;
  readonly groups: GroupAdministration;
  readonly accessKeys: AccessKeyAdministration;
  readonly roleSessions: RoleSessions;
  readonly roles: Roles;
  /** The signed operations of the user pool by name. */
  readonly operations: Record<string, Operation>;
  readonly sts: StsContext;
}

export function connectSignedParts(
  context: PoolContext,
  options: {
    readonly messenger: Messenger;
    readonly writeAct?: WriteAct;
    readonly findPermissions?: FindPermissions;
  },
): SignedParts {
  const roles = readRoles(context.settings);
  const findKey = createFindKey({ ...context, db: context.pool, roles });
  const administration = { ...context, writeAct: options.writeAct ?? (async () => {}) };
  const accounts = createAccountAdministration(administration, userPoolActs(administration));
  const users = createUserAdministration(administration, accounts);
  const groups = createGroupAdministration(administration, accounts);
  const signed = { ...administration, findKey };
  const sts: StsContext = {
    ...signed,
    roles,
    findPermissions: options.findPermissions ?? (async () => []),
  };
  return {
    accounts,
    users,
    groups,
    accessKeys: createAccessKeyAdministration(administration),
    roleSessions: createRoleSessions(sts),
    roles,
    operations: {
      ...userOperations({ ...signed, users, messenger: options.messenger }),
      ...groupOperations({ ...signed, groups }),
    },
    sts,
  };
}
