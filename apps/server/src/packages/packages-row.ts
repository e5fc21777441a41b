/** A part of a device's list: everything installed with names after `after` up to `upTo`. */
export interface PackagesRow {
  readonly deviceId: string;
  readonly at: Date;
  readonly report: string;
  readonly after: string | null;
  readonly upTo: string | null;
  readonly packages: readonly { readonly name: string; readonly version: string }[];
}

export interface PackageDifference {
  readonly deviceId: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}
