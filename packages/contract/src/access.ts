import type { Timestamp } from './pages.ts';
import type { Permission, Scope } from './permissions.ts';
import type { UserStatus } from './states.ts';

export interface RoleRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
  readonly builtin: boolean;
  readonly userCount: number;
}

export interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string;
  readonly status: UserStatus;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly lastSignInAt: Timestamp | null;
  readonly createdAt: Timestamp;
}
