import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type Page, type Timestamp } from '../pages.ts';

const textSchema = z.string().trim().max(128).default('');
const nameSchema = z.string().trim().min(1).max(128);

export const listDevicePackagesInput = z.object({
  deviceId: idSchema,
  /** Part of a name. */
  text: textSchema,
  cursor: cursorSchema,
  pageSize: pageSizeSchema,
});

/** A package installed by a device's package manager. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly since: Timestamp;
}

export interface DevicePackages extends Page<InstalledPackage> {
  /** All matching packages, on all pages. */
  readonly count: number;
  /** When the device last reported its packages; null if never. */
  readonly reportedAt: Timestamp | null;
}

export const listPackageChangesInput = z.object({
  deviceId: idSchema,
  cursor: cursorSchema,
  pageSize: pageSizeSchema,
});

/** A package that was installed (`before` null), replaced, or removed (`after` null). */
export interface PackageChange {
  readonly id: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly at: Timestamp;
}

export const searchPackagesInput = z.object({
  text: textSchema,
  cursor: cursorSchema,
  pageSize: pageSizeSchema,
});

/** A package on devices within the viewer's scope. */
export interface PackageSummary {
  readonly name: string;
  readonly versions: number;
  readonly devices: number;
}

export const listPackageVersionsInput = z.object({ name: nameSchema });

/** Number of devices per version of a package. */
export interface PackageVersionSpread {
  readonly version: string;
  readonly devices: number;
}
