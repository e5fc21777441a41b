/** A run to be edited before it is sent again. */
export interface RunCopy {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly comment: string;
  readonly document: string;
  /** Empty: another device is to be chosen; absent: the target in the address stays. */
  readonly deviceId?: string;
}
