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

/** One version of one component and how much of the fleet runs it. */
export interface InstalledVersion {
  readonly component: string;
  readonly version: string;
  readonly devices: number;
  /** 0 … 1 of the devices that report this component. */
  readonly share: number;
  readonly firstSeenAt: Timestamp;
  readonly lastReportedAt: Timestamp;
  readonly state: SoftwareVersionState | null;
  readonly approvedFor: readonly string[];
}

export const deviceVersionHistoryInput = z.object({ deviceId: idSchema });

/** A component that appeared, changed its version, or went away (`version` null). Newest first. */
export interface VersionChange {
  readonly component: string;
  readonly version: string | null;
  readonly previousVersion: string | null;
  readonly at: Timestamp;
}

const componentSchema = nameSchema({ max: 128 });
/** Semantic Versioning, and what devices call their versions otherwise (`Debian 12.8`): no colon, filters split there. */
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
  /** Models that it is made for; empty means all. */
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
  /** Why, kept in the audit trail. */
  reason: z.string().trim().max(500).default(''),
});

/** A version that is on record: what it is, and how far it has spread. */
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
  readonly artefact: SoftwareArtefact | null;
}

export interface SoftwareArtefact {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The file of a version: one name, no path. */
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

/** What the link of an upload says of it. */
export const softwareUploadQuery = softwareFileInput.extend({
  bytes: z.coerce.number().int().positive(),
  key: z.uuid(),
});

/** How far an upload is: how many bytes are there, and the hash once it is whole. */
export interface SoftwareUploadState {
  readonly bytes: number;
  readonly sha256: string | null;
}

/**
 * `PUT` the file there, whole or piece by piece (`Content-Range`); `GET` says how far it got. Relative to the site,
 * valid for an hour.
 */
export interface SoftwareUploadLink {
  readonly url: string;
}

/** `*` stands for all. */
const modelOrAll = z.string().trim().min(1).max(128);
const countryOrAll = z.union([z.literal('*'), countrySchema]).default('*');

export const approvalTargetInput = z.object({
  component: componentSchema,
  model: modelOrAll,
  country: countryOrAll,
});

export const approveSoftwareInput = approvalTargetInput.extend({
  version: versionSchema,
  /** From when a device that runs something older is late; null: whenever it suits. */
  mandatoryFrom: utcMomentSchema.nullable().default(null),
});

/** TAV: what is approved for a component on a model in a country. The nearest one counts for a device. */
export interface SoftwareApproval {
  readonly component: string;
  readonly model: string;
  readonly country: string;
  readonly version: string;
  readonly approvedBy: string;
  readonly approvedAt: Timestamp;
  readonly mandatoryFrom: Timestamp | null;
}

/** How far the devices of a version were told what it means since an approval changed, 0 … 1. */
export interface RestateProgress {
  readonly share: number;
}

/** Approved against installed, for one component. Retired devices are not counted. */
export interface VersionMatrix {
  readonly component: string;
  readonly devices: number;
  /** Installed and approved versions, the newest first. */
  readonly versions: readonly string[];
  readonly rows: readonly VersionMatrixRow[];
}

/** Devices of one model for which the same approval counts, or for which none does. */
export interface VersionMatrixRow {
  /** Null: a model that is not known. */
  readonly model: string | null;
  /** A country's code where the approval is for that country alone; null where it is for all, or there is none. */
  readonly country: string | null;
  /** Countries of the model that other rows speak of. */
  readonly otherCountries: readonly string[];
  readonly approved: string | null;
  readonly mandatoryFrom: Timestamp | null;
  readonly devices: number;
  readonly cells: readonly VersionMatrixCell[];
}

export interface VersionMatrixCell {
  readonly version: string;
  readonly devices: number;
  /** 0 … 1 of the row's devices. */
  readonly share: number;
  readonly state: TavState | null;
}

export const adoptionInput = z.object({
  component: componentSchema,
  days: z.int().min(7).max(366).default(90),
});

/** How many devices ran each version at the end of each day; the last day is today so far. */
export interface VersionAdoption {
  readonly component: string;
  /** ISO dates (UTC), oldest first. */
  readonly days: readonly string[];
  /** The newest version first; `devices` has a number for each day. */
  readonly series: readonly { readonly version: string; readonly devices: readonly number[] }[];
}
