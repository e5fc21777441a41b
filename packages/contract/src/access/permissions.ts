/**
 * Permissions, roles, and scopes (docs/design/decisions.md, section 7). The server enforces these
 * rules; the portal uses the same code to show what is allowed.
 */

export const consequences = ['reads', 'changes', 'disrupts', 'destroys'] as const;
/** The effect of a command on a device. */
export type Consequence = (typeof consequences)[number];

/** The more severe of two consequences. */
export function furtherReaching(one: Consequence, other: Consequence): Consequence {
  return consequences.indexOf(one) >= consequences.indexOf(other) ? one : other;
}

export const plainPermissions = [
  'devices:read',
  'devices:manage',
  'people:read',
  'people:manage',
  'people:export',
  'people:erase',
  'commands:read',
  'documents:read',
  'documents:manage',
  'documents:approve',
  'versions:read',
  'versions:manage',
  'locations:read',
  'locations:read-precise',
  'alerts:read',
  'alerts:manage',
  'audit-trail:read',
  'audit-trail:export',
  'reports:create',
  'cases:read',
  'cases:manage',
  'legal-holds:read',
  'legal-holds:manage',
  'access:read',
  'access:manage',
  'air-blast:run',
  'air-blast:approve',
  'api-calls:read',
  'api-tokens:create',
  'api-tokens:manage',
  'webhooks:manage',
  'provider:read',
  'provider:manage',
  'terminal:open',
  'terminal:end',
  'terminal:replay',
  'files:read',
  'files:write',
  'terminal:watch',
  'terminal:consent',
  'web-pages:open',
  'web-pages:end',
] as const;
export type PlainPermission = (typeof plainPermissions)[number];

/**
 * Permissions that no built-in role has, so that an upgrade gives them to no user. Users with
 * all others can add them to roles.
 */
export const optInPermissions = [
  'terminal:open',
  'terminal:end',
  'terminal:replay',
  'files:read',
  'files:write',
  'terminal:watch',
  'terminal:consent',
  'web-pages:open',
  'web-pages:end',
] as const satisfies readonly PlainPermission[];

const isOptIn = (permission: string): boolean =>
  optInPermissions.some((each) => each === permission);

/** All plain permissions except those that are given in addition. */
export const administratorPermissions: readonly PlainPermission[] = plainPermissions.filter(
  (permission) => !isOptIn(permission),
);

/**
 * `commands:run:@reads` for all commands of a consequence, or `commands:run:logs/tail` for one
 * command.
 */
export type RunPermission = `commands:run:${string}`;
export type Permission = PlainPermission | RunPermission;

/**
 * Whether a text is a permission: a plain one, one for a consequence, or one for a single command.
 */
export function isPermission(text: string): text is Permission {
  return (
    plainPermissions.some((plain) => plain === text) ||
    consequences.some((each) => text === `commands:run:@${each}`) ||
    /^commands:run:[a-z][a-z0-9-]*(\/[a-z][a-z0-9-]*)?$/.test(text)
  );
}

/** The devices that a role applies to. An empty list is no restriction. All labels must match. */
export interface Scope {
  readonly countries: readonly string[];
  readonly models: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

export const everywhere: Scope = { countries: [], models: [], labels: {} };

export interface Grant {
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
}

export interface RoleDefinition extends Grant {
  readonly name: string;
  readonly description: string;
}

const runUpTo = (highest: Consequence): RunPermission[] =>
  consequences
    .slice(0, consequences.indexOf(highest) + 1)
    .map((consequence) => `commands:run:@${consequence}` as const);

const readAll: readonly PlainPermission[] = [
  'devices:read',
  'people:read',
  'commands:read',
  'documents:read',
  'versions:read',
  'locations:read',
  'audit-trail:read',
];

/**
 * The built-in role with all permissions except opt-in ones. Its members are synchronized with the administrators of
 * the user pool.
 */
export const ADMINISTRATOR = 'Administrator';

/** The five built-in roles. */
export const builtinRoles: readonly RoleDefinition[] = [
  {
    name: ADMINISTRATOR,
    description:
      'All permissions except those for terminals, files, and web pages of devices. Members of the group DevicePortal_Admin have this role.',
    permissions: [...administratorPermissions, ...runUpTo('destroys')],
    scope: everywhere,
  },
  {
    name: 'Operator',
    description:
      'Manages devices, documents, and versions, runs commands up to disruptive ones, and operates AirBlast rollouts.',
    permissions: [
      ...readAll,
      'devices:manage',
      'documents:manage',
      'versions:manage',
      'locations:read-precise',
      'alerts:read',
      'alerts:manage',
      'reports:create',
      'cases:read',
      'air-blast:run',
      'api-tokens:create',
      ...runUpTo('disrupts'),
    ],
    scope: everywhere,
  },
  {
    name: 'Support',
    description: 'Views customers and their devices, and runs read-only and changing commands.',
    permissions: [
      ...readAll,
      'alerts:read',
      'reports:create',
      'cases:read',
      'cases:manage',
      'api-tokens:create',
      ...runUpTo('changes'),
    ],
    scope: everywhere,
  },
  {
    name: 'Auditor',
    description: 'Views everything, and exports the audit trail and the API calls.',
    permissions: [
      ...readAll,
      'alerts:read',
      'audit-trail:export',
      'cases:read',
      'legal-holds:read',
      'access:read',
      'api-calls:read',
    ],
    scope: everywhere,
  },
  {
    name: 'Viewer',
    description: 'Views devices without their owners.',
    permissions: [
      'devices:read',
      'commands:read',
      'documents:read',
      'versions:read',
      'locations:read',
    ],
    scope: everywhere,
  },
];

/** Whether any grant contains the permission, in any scope. */
export function holds(grants: readonly Grant[], permission: Permission): boolean {
  return grants.some((grant) => grant.permissions.includes(permission));
}

/** The permissions, any of which allows running this command. */
export function runPermissionsFor(command: string, consequence: Consequence): RunPermission[] {
  return [`commands:run:${command}`, `commands:run:@${consequence}`];
}

export function mayRun(
  grants: readonly Grant[],
  command: string,
  consequence: Consequence,
): boolean {
  return runPermissionsFor(command, consequence).some((permission) => holds(grants, permission));
}

/** The scopes of all grants with any of the permissions. Empty if there is none. */
export function scopesOf(grants: readonly Grant[], permissions: readonly Permission[]): Scope[] {
  return grants
    .filter((grant) => permissions.some((permission) => grant.permissions.includes(permission)))
    .map((grant) => grant.scope);
}

/** Whether any of the scopes includes the device. */
export function reaches(
  scopes: readonly Scope[],
  device: {
    readonly country: string | null;
    readonly model: string | null;
    readonly labels: Readonly<Record<string, string>>;
  },
): boolean {
  return scopes.some(
    (scope) =>
      (scope.countries.length === 0 ||
        (device.country !== null && scope.countries.includes(device.country))) &&
      (scope.models.length === 0 ||
        (device.model !== null && scope.models.includes(device.model))) &&
      Object.entries(scope.labels).every(([key, value]) => device.labels[key] === value),
  );
}
