/** A run that fills the form, to be edited and sent again. */
export interface RunCopy {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly comment: string;
  readonly document: string;
  /** Empty to choose another device. Absent to keep the target of the address. */
  readonly deviceId?: string;
}
