import type { AccessGrantBond } from '../access/access-grant-bond.ts';
import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import { idSchema, labelsSchema, serialNumberSchema } from '../ids.ts';
import { countrySchema, timeZoneSchema } from '../locations/places.ts';
import type { FindingRule } from './finding-rules.ts';
import type { FindingSeverity } from './findings.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import type { Connectivity, DeviceLifecycle, InstanceState, TavState } from '../states.ts';
import {
  DEFAULT_CLAIM_LIFETIME_HOURS,
  MAX_CLAIM_LIFETIME_HOURS,
  TARGET_LIST_LIMIT,
} from '../constants.ts';

export const deviceFilterKeys = [
  'serialNumber',
  'name',
  'owner',
  'model',
  'country',
  'connectivity',
  'lifecycle',
  'label',
  'platform',
  'agentVersion',
  'software',
  'package',
  'lastSeen',
  'added',
  'failing',
  'tavState',
  'finding',
  'metric',
  'newestMetric',
  'area',
] as const;
export type DeviceFilterKey = (typeof deviceFilterKeys)[number];

export const filterOperators = ['=', '!=', ':', '!:', '^', '>=', '<=', '<', '>'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/**
 * One token of a property filter. Values by key: `owner` a person's id; `label` `key:value` or `key`;
 * `software` `component:version` (or `component`); `package` `name:version` (or `name`), also older and newer than a
 * version; `lastSeen` and `added` ISO 8601, or an age such as `-24h`; `failing` a self-check part;
 * `finding` a rule, or `any`; `metric` a name and a limit, `cpuUsedPercent:90`, of the mean of the last day; `newestMetric` the same, of the
 * newest sample of the last half hour; `area` west/south/east/north in degrees, of where the device was last;
 * `tavState` a state, the worst of the device's components, or `component:state` for one of them.
 * Several values are alternatives.
 */
export const deviceFilterTokenSchema = z.object({
  key: z.enum(deviceFilterKeys),
  operator: z.enum(filterOperators),
  values: z.array(z.string().max(256)).min(1).max(100),
});
export type DeviceFilterToken = z.infer<typeof deviceFilterTokenSchema>;

export const deviceFilterSchema = z.object({
  /** Free text for serial number, name, owner, model, and label values. */
  text: z.string().trim().max(200).default(''),
  tokens: z.array(deviceFilterTokenSchema).max(20).default([]),
  operation: z.enum(['and', 'or']).default('and'),
  /** Only devices of a stored list of serial numbers. */
  targetListId: idSchema.nullable().default(null),
});
export type DeviceFilter = z.infer<typeof deviceFilterSchema>;
export type DeviceFilterInput = z.input<typeof deviceFilterSchema>;

export const deviceSorts = ['serialNumber', 'name', 'lastSeen'] as const;
export type DeviceSort = (typeof deviceSorts)[number];

export const listDevicesInput = z.object({
  filter: deviceFilterSchema.prefault({}),
  sort: z.enum(deviceSorts).default('lastSeen'),
  descending: z.boolean().default(true),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export interface OwnerSummary {
  readonly id: string;
  /** Masked without `people:read`. */
  readonly name: string;
}

export interface DeviceRow {
  readonly id: string;
  readonly serialNumber: string | null;
  readonly name: string;
  readonly model: string | null;
  readonly hardwareRevision: string | null;
  readonly owner: OwnerSummary | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: DeviceLifecycle;
  readonly engine: DeviceEngineName;
  readonly connectivity: Connectivity;
  readonly connectivitySince: Timestamp | null;
  readonly lastSeenAt: Timestamp | null;
  readonly disconnectReason: string | null;
  /** Self-check parts that the device reports as failing, each with a short fact. */
  readonly failing: readonly FailingPart[];
  readonly instanceId: string | null;
  readonly agentVersion: string | null;
  readonly platform: string | null;
  readonly ipAddress: string | null;
  /** Version of the device's main component (`firmware`, otherwise `os`). */
  readonly softwareVersion: string | null;
  /** The worst state of its components; null if no component is subject to approval. */
  readonly tavState: TavState | null;
  /** Open findings, most severe first. */
  readonly findings: readonly RowFinding[];
  readonly createdAt: Timestamp;
}

/** What runs commands on a device: the agent of Device Portal, or Run Command of AWS Systems Manager. */
export type DeviceEngineName = 'agent' | 'ssm';

export interface RowFinding {
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
}

export interface FailingPart {
  readonly part: string;
  readonly fact: string;
}

export interface DeviceInstance {
  readonly id: string;
  readonly state: InstanceState;
  readonly platformType: string;
  readonly platformName: string;
  readonly platformVersion: string;
  readonly architecture: string;
  readonly agentVersion: string;
  /**
   * Whether its agent runs only signed commands; null before its first connection and if it is not
   * the current one.
   */
  readonly checksSignatures: boolean | null;
  readonly hostName: string;
  readonly ipAddress: string | null;
  readonly enrolledAt: Timestamp;
  readonly lastPingAt: Timestamp | null;
  readonly certificateFingerprint: string;
  readonly certificateEndsAt: Timestamp;
}

/** A verdict about a device. Screens find its text by `code`, with `facts` as arguments. */
export interface Verdict {
  readonly code:
    | 'offline'
    | 'degraded'
    | 'never-connected'
    | 'suspended'
    | 'retired'
    | 'no-instance'
    | 'last-command-failed'
    | 'certificate-ending'
    | 'unknown-connectivity'
    | 'healthy'
    | FindingRule;
  readonly severity: 'error' | 'warning' | 'info' | 'success';
  readonly facts: Readonly<Record<string, string | number | null>>;
  /** The suggested next command (`network/diagnose`), if any. */
  readonly suggestedCommand: string | null;
  /** The parameters for that command. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Start of the condition, if recorded. */
  readonly since?: Timestamp | null;
}

export interface DeviceDetail extends DeviceRow {
  readonly timeZone: string | null;
  readonly updatedAt: Timestamp;
  readonly instances: readonly DeviceInstance[];
  readonly software: readonly SoftwareComponent[];
  readonly inventory: Readonly<Record<string, unknown>> | null;
  readonly inventoryAt: Timestamp | null;
  readonly diskUsedPercent: number | null;
  readonly memoryUsedPercent: number | null;
  readonly uptimeSeconds: number | null;
  readonly place: DevicePlace | null;
  /** Most severe first; exactly one `healthy` if there is no problem. */
  readonly verdicts: readonly Verdict[];
}

export interface SoftwareComponent {
  readonly component: string;
  readonly version: string;
  /** Null if nothing is approved for this component on any device. */
  readonly tavState: TavState | null;
  readonly since: Timestamp;
  readonly reportedAt: Timestamp;
}

export interface DevicePlace {
  readonly at: Timestamp;
  /** Rounded to 0.1 degree without `locations:read-precise`. */
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyMeters: number;
  readonly source: PlaceSource;
  readonly country: string | null;
  readonly precise: boolean;
}

/**
 * Source of a location: the device (`gps`, `network`, `ip`), a user (`manual`), or the device's
 * source address (`address`), which gives only the country.
 */
export type PlaceSource = 'gps' | 'network' | 'ip' | 'manual' | 'address';

/** A device by its ID or serial number. The URL then uses the ID from the response. */
export const deviceRowsInput = z.object({ ids: z.array(idSchema).min(1).max(100) });

export const deviceReferenceInput = z.object({ device: z.string().trim().min(1).max(128) });

export const updateDeviceInput = z.object({
  id: idSchema,
  name: nameSchema({ max: 128 }).optional(),
  model: nameSchema({ max: 128 }).nullable().optional(),
  hardwareRevision: z.string().trim().max(64).nullable().optional(),
  ownerId: idSchema.nullable().optional(),
  country: countrySchema.nullable().optional(),
  timeZone: timeZoneSchema.nullable().optional(),
  labels: labelsSchema.optional(),
});

export const deviceLifecycleInput = z.object({
  id: idSchema,
  /** Reason, stored in the audit trail. */
  reason: z.string().trim().max(500).default(''),
});

export const createClaimInput = z.object({
  model: nameSchema({ min: 0, max: 128 }).nullable().default(null),
  ownerId: idSchema.nullable().default(null),
  country: countrySchema.nullable().default(null),
  labels: labelsSchema.default({}),
  uses: z.int().min(1).max(100_000).default(1),
  lifetimeHours: z.int().min(1).max(MAX_CLAIM_LIFETIME_HOURS).default(DEFAULT_CLAIM_LIFETIME_HOURS),
  /** The existing or new device to enroll. */
  device: z
    .object({
      serialNumber: serialNumberSchema.nullable(),
      name: nameSchema({ max: 128 }),
    })
    .nullable()
    .default(null),
});

/** For one enrollment of a registered device, which replaces its current instance. */
export const createDeviceClaimInput = z.object({
  id: idSchema,
  lifetimeHours: z
    .int()
    .min(1)
    .max(24 * 7)
    .default(DEFAULT_CLAIM_LIFETIME_HOURS),
});

export interface CreatedClaim {
  readonly id: string;
  /** Shown once; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Timestamp;
  readonly uses: number;
  /** The command to paste on the device. */
  readonly installCommand: string;
  readonly deviceId: string | null;
  /** The temporary access with which it was created and with which it ends. */
  readonly bond: AccessGrantBond | null;
}

/** Claims that are not used up, expired, or revoked, newest first. */
export const listClaimsInput = z.object({ pageSize: pageSizeSchema, cursor: cursorSchema });

export interface ClaimRow {
  readonly id: string;
  readonly model: string | null;
  readonly owner: OwnerSummary | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly usesLeft: number;
  readonly uses: number;
  readonly expiresAt: Timestamp;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
  /**
   * `right-ended`: enrolls no device, because its creator no longer has the permission to manage
   * these devices.
   */
  readonly state: 'open' | 'right-ended';
}

export const createTargetListInput = z.object({
  name: nameSchema({ min: 0, max: 128 }).default(''),
  /** As pasted or uploaded: separated by line breaks, commas, semicolons, or spaces. */
  text: z.string().max(7_500_000),
});

export interface TargetList {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly found: number;
  /** The first 100 serial numbers that match no device within the viewer's scope. */
  readonly missing: readonly string[];
  readonly missingCount: number;
  readonly createdAt: Timestamp;
}

export const targetListLimit = TARGET_LIST_LIMIT;

/** Limit for the parameters of a saved view, as for a URL. */
const LONGEST_SEARCH = 8_000;

export const saveViewInput = z.object({
  id: idSchema.optional(),
  name: nameSchema({ max: 80 }),
  screen: z.enum(['devices', 'audit-trail', 'documents', 'versions']),
  /** The URL search parameters of the view. */
  search: z
    .record(z.string().max(64), z.string().max(2_000))
    .refine((search) => Object.keys(search).length <= 50, 'has more than 50 parameters')
    .refine((search) => JSON.stringify(search).length <= LONGEST_SEARCH, 'is too long'),
  /** Shares the view with all users who have this role; null for a personal view. */
  sharedWithRole: z.string().max(256).nullable().default(null),
});

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly screen: string;
  readonly search: Readonly<Record<string, string>>;
  readonly mine: boolean;
  readonly sharedWithRole: string | null;
  readonly builtin: boolean;
}

export interface Note {
  readonly id: string;
  readonly text: string;
  readonly author: string;
  readonly createdAt: Timestamp;
  readonly mine: boolean;
}

/** State of the fleet for the home screen, from maintained counters within the viewer's scope. */
export interface FleetSummary {
  readonly total: number;
  readonly connectivity: Readonly<Record<Connectivity, number>>;
  readonly lifecycle: Readonly<Record<DeviceLifecycle, number>>;
  readonly offlineOverADay: number;
  readonly byCountry: readonly { readonly country: string; readonly count: number }[];
  readonly byModel: readonly { readonly model: string; readonly count: number }[];
  readonly asOf: Timestamp;
}

export const suggestValuesInput = z.object({
  key: z.enum(deviceFilterKeys),
  text: z.string().max(100).default(''),
});

export interface ValueSuggestion {
  readonly value: string;
  /** Display text if the value is an ID (an owner's name). */
  readonly label: string;
}

export const countDevicesInput = z.object({ filter: deviceFilterSchema.prefault({}) });

export const exportDevicesInput = z.object({
  filter: deviceFilterSchema.prefault({}),
  sort: z.enum(deviceSorts).default('serialNumber'),
  descending: z.boolean().default(false),
});

/** The current filter as CSV (RFC 4180), at most 10,000 rows. */
export interface DeviceExport {
  readonly fileName: string;
  readonly text: string;
  readonly count: number;
  /** Whether more rows match than the file contains. */
  readonly truncated: boolean;
}

export const addNoteInput = z.object({
  deviceId: idSchema,
  text: z.string().trim().min(1).max(4_000),
});

export const listViewsInput = z.object({ screen: saveViewInput.shape.screen });
