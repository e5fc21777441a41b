import type { Consequence } from '@deviceportal/contract/permissions';

export interface Rerun {
  readonly runId: string;
  readonly command: string;
  readonly consequence: Consequence;
  /** A serial number or name; how many devices, where the run was one on many. */
  readonly target: string | number;
  readonly onlyFailed: boolean;
  /** Only the devices that gave this answer. */
  readonly answer?: string;
}
