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
  /** Null: invited, and never signed in. */
  readonly lastSignInAt: Timestamp | null;
  readonly createdAt: Timestamp;
  /** What was written down with the invitation. */
  readonly note: string;
  /** Null: the account is not locked, or people are kept at a provider elsewhere. */
  readonly lock: AccountLock | null;
}

/** Nobody can sign in to the account: it took too many wrong codes or passwords in a row. */
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
  /** `updatedAt` of the role that was looked at: another's change meanwhile is not written over. */
  basedOn: utcMomentSchema,
});
export type RoleEdit = z.infer<typeof editRoleInput>;

/** The same rights as the viewer would have with them. */
export const previewGrantInput = grantSchema;

/** What somebody sees and may run with a grant; found by the code that decides when they ask. */
export interface GrantPreview {
  /** Null where it reaches further than the viewer sees. */
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
    /** Id or serial number; null asks for any device. */
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
  /** The roles that grant it, where they reach. */
  readonly roles: readonly { readonly id: string; readonly name: string; readonly scope: Scope }[];
}

export interface WhoCanAnswer {
  /** Any one of these is enough. */
  readonly permissions: readonly Permission[];
  readonly users: readonly AbleUser[];
}

export const userSorts = ['username', 'lastSignIn', 'created'] as const;
export type UserSort = (typeof userSorts)[number];

const statusNames = Object.keys(userStatus) as [UserStatus, ...UserStatus[]];

export const userFilterSchema = z.object({
  /** In names and addresses; matches nobody without `people:read`. */
  text: z.string().trim().max(200).default(''),
  statuses: z.array(z.enum(statusNames)).max(statusNames.length).default([]),
  /** Names of roles, of which any one is held. */
  roles: z.array(z.string().max(64)).max(50).default([]),
  group: z.string().max(128).nullable().default(null),
  /** Never signed in, or longer ago than so many days. */
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
  /** Of all that match. */
  readonly count: number;
}

export const inviteUserInput = z.object({
  /** E-mail address, phone number or user name, by which the person signs in. */
  identifier: nameSchema({ max: 320 }),
  /** Where codes go when the identifier is a user name: an e-mail address or phone number. */
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

/** From which status each act leads where. */
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
  /** Ends what they have queued now, and pauses their schedules; without it, it is refused when it would be sent. */
  stopQueued: z.boolean().default(false),
});

export const userReferenceInput = z.object({ id: idSchema });
export const roleReferenceInput = z.object({ id: idSchema });

export interface UserSession {
  readonly id: string;
  readonly signedInAt: Timestamp;
  readonly endsAt: Timestamp;
  /** Where the sign-in came from; null where the trail no longer tells. */
  readonly address: string | null;
  /** The one in which the viewer asks. */
  readonly current: boolean;
}

/** One's own sign-ins. */
export interface OwnSessions {
  /** False where people sign in at a provider elsewhere: the portal knows none of its sessions. */
  readonly known: boolean;
  readonly sessions: readonly UserSession[];
}

export const endOwnSessionInput = z.object({ sessionId: idSchema });

export const endSessionInput = z.object({ id: idSchema, sessionId: idSchema });

/** What this installation can do with people. */
export interface DirectoryAbilities {
  /** False where people are kept at a provider elsewhere: they are invited and signed out there. */
  readonly keepsPeople: boolean;
}
