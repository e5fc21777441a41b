import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import { commandNameSchema, type CommandDefinition } from '../commands/commands.ts';
import { idSchema, labelsSchema } from '../ids.ts';
import { countrySchema } from '../locations/places.ts';
import {
  cursorSchema,
  pageSizeSchema,
  type CappedCount,
  type Page,
  type Timestamp,
} from '../pages.ts';
import { isPermission, type Permission, type Scope } from './permissions.ts';
import { userStatus, type UserStatus } from '../states.ts';
import { utcMomentSchema } from '../moment.ts';

export interface RoleRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
  readonly builtin: boolean;
  readonly userCount: number;
  readonly updatedAt: Timestamp;
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
  /** Null for an invited user who has never signed in. */
  readonly lastSignInAt: Timestamp | null;
  readonly createdAt: Timestamp;
  /** Note of the invitation. */
  readonly note: string;
  /** Null if the account is not locked, or an external provider stores the users. */
  readonly lock: AccountLock | null;
}

/** Sign-in to the account is blocked after too many incorrect codes or passwords. */
export interface AccountLock {
  readonly wrong: number;
  readonly since: Timestamp;
}

export const permissionSchema = z
  .string()
  .max(160)
  .refine(isPermission, 'is no permission')
  .transform((text) => text as Permission);

export const scopeSchema = z.object({
  countries: z.array(countrySchema).max(250).default([]),
  models: z.array(z.string().trim().min(1).max(128)).max(500).default([]),
  labels: labelsSchema.default({}),
});

export const grantSchema = z.object({
  permissions: z.array(permissionSchema).max(500),
  scope: scopeSchema,
});

export const createRoleInput = grantSchema.extend({
  name: nameSchema({ max: 64 }),
  description: z.string().trim().max(500).default(''),
});
export type NewRole = z.infer<typeof createRoleInput>;

export const editRoleInput = createRoleInput.extend({
  id: idSchema,
  /**
   * `updatedAt` of the role that was edited. If another user has changed the role since, the change
   * is rejected.
   */
  basedOn: utcMomentSchema,
});
export type RoleEdit = z.infer<typeof editRoleInput>;

/** Previews the permissions that the viewer would have. */
export const previewGrantInput = grantSchema;

/**
 * What a user with this grant would see and could run, evaluated with the rules that authorize each
 * request.
 */
export interface GrantPreview {
  /** Null if the grant's scope exceeds the viewer's. */
  readonly devices: CappedCount | null;
  readonly sample: readonly {
    readonly id: string;
    readonly name: string;
    readonly serialNumber: string | null;
    readonly country: string | null;
    readonly model: string | null;
  }[];
  readonly commands: readonly Pick<CommandDefinition, 'command' | 'consequence' | 'allowed'>[];
}

export const whoCanInput = z
  .object({
    permission: permissionSchema.nullable().default(null),
    command: commandNameSchema.nullable().default(null),
    /** Id or serial number; null for any device. */
    device: z.string().trim().min(1).max(64).nullable().default(null),
  })
  .refine(({ permission, command }) => (permission === null) !== (command === null), {
    path: ['permission'],
    message: 'ask for a permission or a command',
  });
export type WhoCan = z.infer<typeof whoCanInput>;

export interface AbleUser {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  /** The roles that grant it, with a scope that includes the device. */
  readonly roles: readonly { readonly id: string; readonly name: string; readonly scope: Scope }[];
}

export interface WhoCanAnswer {
  /** Any of these permissions is sufficient. */
  readonly permissions: readonly Permission[];
  readonly users: readonly AbleUser[];
}

export const userSorts = ['username', 'lastSignIn', 'created'] as const;
export type UserSort = (typeof userSorts)[number];

const statusNames = Object.keys(userStatus) as [UserStatus, ...UserStatus[]];

export const userFilterSchema = z.object({
  /** Matches names and addresses. Matches no user without `people:read`. */
  text: z.string().trim().max(200).default(''),
  statuses: z.array(z.enum(statusNames)).max(statusNames.length).default([]),
  /** Role names; a user must have any of them. */
  roles: z.array(z.string().max(64)).max(50).default([]),
  group: z.string().max(128).nullable().default(null),
  /** Never signed in, or last signed in more than this many days ago. */
  awayDays: z.int().min(1).max(3_650).nullable().default(null),
  neverSignedIn: z.boolean().default(false),
});
export type UserFilter = z.infer<typeof userFilterSchema>;

export const listUsersInput = z.object({
  filter: userFilterSchema.prefault({}),
  sort: z.enum(userSorts).default('username'),
  descending: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});
export type ListUsers = z.infer<typeof listUsersInput>;

export interface UserPage extends Page<UserRow> {
  /** Number of all matching users. */
  readonly count: number;
}

export const inviteUserInput = z.object({
  /** Email address, phone number, or username with which the user signs in. */
  identifier: nameSchema({ max: 320 }),
  /** Email address or phone number for codes, if the identifier is a username. */
  contact: z.string().trim().max(320).default(''),
  name: nameSchema({ min: 0, max: 256 }).default(''),
  roleIds: z.array(idSchema).max(50),
  note: z.string().trim().max(500).default(''),
  language: z.enum(['en', 'zh-CN']).default('en'),
});
export type Invitation = z.input<typeof inviteUserInput>;

export const changeUserRolesInput = z.object({
  id: idSchema,
  add: z.array(idSchema).max(50).default([]),
  remove: z.array(idSchema).max(50).default([]),
});

export const userActs = ['suspend', 'resign', 'archive', 'restore'] as const;
export type UserAct = (typeof userActs)[number];

/** Source statuses and the resulting status of each action. */
export const userActRules: Readonly<
  Record<UserAct, { readonly from: readonly UserStatus[]; readonly to: UserStatus }>
> = {
  suspend: { from: ['Activated'], to: 'Suspended' },
  resign: { from: ['Activated', 'Suspended'], to: 'Resigned' },
  archive: { from: ['Suspended', 'Resigned'], to: 'Archived' },
  restore: { from: ['Suspended', 'Resigned', 'Archived'], to: 'Activated' },
};

export const changeUserStatusInput = z.object({
  id: idSchema,
  act: z.enum(userActs),
  reason: z.string().trim().max(500).default(''),
  /**
   * Also cancels queued runs and pauses the schedules. Otherwise, they are rejected when they are
   * due.
   */
  stopQueued: z.boolean().default(false),
});

export const userReferenceInput = z.object({ id: idSchema });
export const roleReferenceInput = z.object({ id: idSchema });

export interface UserSession {
  readonly id: string;
  readonly signedInAt: Timestamp;
  readonly endsAt: Timestamp;
  /** Source address of the sign-in; null if the audit trail no longer has it. */
  readonly address: string | null;
  /** Whether this is the viewer's current session. */
  readonly current: boolean;
}

/** The viewer's own sessions. */
export interface OwnSessions {
  /** False if users sign in at an external provider, whose sessions the portal cannot list. */
  readonly known: boolean;
  readonly sessions: readonly UserSession[];
}

export const endOwnSessionInput = z.object({ sessionId: idSchema });

export const endSessionInput = z.object({ id: idSchema, sessionId: idSchema });

/** User management functions that this installation supports. */
export interface DirectoryAbilities {
  /** False if an external provider stores the users. They are invited and signed out there. */
  readonly keepsPeople: boolean;
}
