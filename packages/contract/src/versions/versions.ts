import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import { idSchema } from '../ids.ts';
import { countrySchema } from '../locations/places.ts';
import type { SoftwareVersionState, TavState } from '../states.ts';
import type { Timestamp } from '../pages.ts';
import { utcMomentSchema } from '../moment.ts';

export const listInstalledVersionsInput = z.object({
  component: z.string().max(128).nullable().default(null),
});

export interface ComponentSummary {
  readonly component: string;
  readonly devices: number;
  readonly versions: number;
}

/** A version of a component and its share of the fleet. */
export interface InstalledVersion {
  readonly component: string;
  readonly version: string;
  readonly devices: number;
  /** 0 to 1 of the devices that report this component. */
  readonly share: number;
  readonly firstSeenAt: Timestamp;
  readonly lastReportedAt: Timestamp;
  readonly state: SoftwareVersionState | null;
  readonly approvedFor: readonly string[];
}

export const deviceVersionHistoryInput = z.object({ deviceId: idSchema });

/** A component that was added, updated, or removed (`version` null). Newest first. */
export interface VersionChange {
  readonly component: string;
  readonly version: string | null;
  readonly previousVersion: string | null;
  readonly at: Timestamp;
}

const componentSchema = nameSchema({ max: 128 });
/**
 * Semantic Versioning and other formats that devices use (`Debian 12.8`). No colon, because filters
 * split at it.
 */
const versionSchema = z
  .string()
  .trim()
  .regex(
    /^[0-9A-Za-z](?:[0-9A-Za-z.+_~/() -]{0,62}[0-9A-Za-z.+_~)-])?$/,
    'a version such as 1.4.0 or 2.0.0-rc.1',
  );

export const softwareReferenceInput = z.object({
  component: componentSchema,
  version: versionSchema,
});
export type SoftwareReference = z.infer<typeof softwareReferenceInput>;

export const listSoftwareInput = z.object({ component: componentSchema });

export const registerSoftwareInput = softwareReferenceInput.extend({
  /** Supported models; empty for all. */
  models: z
    .array(nameSchema({ max: 128 }))
    .max(100)
    .default([]),
  channel: z.enum(['stable', 'beta']).default('stable'),
  releasedAt: utcMomentSchema.nullable().default(null),
  notes: z.string().trim().max(4_000).default(''),
});

export const changeSoftwareStateInput = softwareReferenceInput.extend({
  state: z.enum(['approved', 'deprecated', 'blocked']),
  /** Reason, stored in the audit trail. */
  reason: z.string().trim().max(500).default(''),
});

/** A registered version and its distribution. */
export interface SoftwareVersionRow {
  readonly component: string;
  readonly version: string;
  readonly state: SoftwareVersionState;
  readonly channel: string;
  readonly models: readonly string[];
  readonly notes: string;
  readonly releasedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
  readonly devices: number;
  readonly artifact: SoftwareArtifact | null;
}

export interface SoftwareArtifact {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The file of a version: a file name without a path. */
export const softwareFileInput = softwareReferenceInput.extend({
  name: z
    .string()
    .trim()
    .max(255)
    .regex(/^[^/\\\p{Cc}.][^/\\\p{Cc}]*$/u, 'a file name'),
});

export const createSoftwareUploadInput = softwareFileInput.extend({
  bytes: z.int().positive(),
});

/** Parameters of an upload link. */
export const softwareUploadQuery = softwareFileInput.extend({
  bytes: z.coerce.number().int().positive(),
  key: z.uuid(),
});

/** Progress of an upload: bytes received, and the hash when complete. */
export interface SoftwareUploadState {
  readonly bytes: number;
  readonly sha256: string | null;
}

/**
 * `PUT` uploads the file, whole or in parts (`Content-Range`); `GET` returns the progress. Relative
 * URL, valid for one hour.
 */
export interface SoftwareUploadLink {
  readonly url: string;
}

/** `*` for all. */
const modelOrAll = z.string().trim().min(1).max(128);
const countryOrAll = z.union([z.literal('*'), countrySchema]).default('*');

export const approvalTargetInput = z.object({
  component: componentSchema,
  model: modelOrAll,
  country: countryOrAll,
});

export const approveSoftwareInput = approvalTargetInput.extend({
  version: versionSchema,
  /** After this time, devices with an older version are overdue; null for no deadline. */
  mandatoryFrom: utcMomentSchema.nullable().default(null),
});

/**
 * TAV: the approved version of a component for a model and a country. The most specific approval
 * applies to a device.
 */
export interface SoftwareApproval {
  readonly component: string;
  readonly model: string;
  readonly country: string;
  readonly version: string;
  readonly approvedBy: string;
  readonly approvedAt: Timestamp;
  readonly mandatoryFrom: Timestamp | null;
}

/** Progress of updating the devices' states after an approval changed, 0 to 1. */
export interface RestateProgress {
  readonly share: number;
}

/** Approved vs. installed versions of a component, without retired devices. */
export interface VersionMatrix {
  readonly component: string;
  readonly devices: number;
  /** Installed and approved versions, newest first. */
  readonly versions: readonly string[];
  readonly rows: readonly VersionMatrixRow[];
}

/** Devices of one model with the same approval, or with none. */
export interface VersionMatrixRow {
  /** Null for devices without a known model. */
  readonly model: string | null;
  /** Country code of an approval for one country; null if it is for all, or there is none. */
  readonly country: string | null;
  /** Countries of the model that have separate rows. */
  readonly otherCountries: readonly string[];
  readonly approved: string | null;
  readonly mandatoryFrom: Timestamp | null;
  readonly devices: number;
  readonly cells: readonly VersionMatrixCell[];
}

export interface VersionMatrixCell {
  readonly version: string;
  readonly devices: number;
  /** 0 to 1 of the row's devices. */
  readonly share: number;
  readonly state: TavState | null;
}

export const adoptionInput = z.object({
  component: componentSchema,
  days: z.int().min(7).max(366).default(90),
});

/** Devices per version at the end of each day. The last day is today, to date. */
export interface VersionAdoption {
  readonly component: string;
  /** ISO dates (UTC), oldest first. */
  readonly days: readonly string[];
  /** Newest version first; `devices` has one number per day. */
  readonly series: readonly { readonly version: string; readonly devices: readonly number[] }[];
}
