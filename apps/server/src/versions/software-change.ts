/** The whole list of components that a device runs. */
export interface SoftwareRow {
  readonly deviceId: string;
  readonly at: Date;
  readonly components: readonly { readonly component: string; readonly version: string }[];
}

/** `before` null: the component is new on the device; `after` null: it is gone. */
export interface SoftwareChange {
  readonly deviceId: string;
  readonly component: string;
  readonly before: string | null;
  readonly after: string | null;
}
