/** The complete list of components on a device. */
export interface SoftwareRow {
  readonly deviceId: string;
  readonly at: Date;
  readonly components: readonly { readonly component: string; readonly version: string }[];
}

/** `before` null: the component was added; `after` null: it was removed. */
export interface SoftwareChange {
  readonly deviceId: string;
  readonly component: string;
  readonly before: string | null;
  readonly after: string | null;
}
