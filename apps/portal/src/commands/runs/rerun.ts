import type { Consequence } from '@deviceportal/contract/permissions';

export interface Rerun {
  readonly runId: string;
  readonly command: string;
  readonly consequence: Consequence;
  /** A serial number, a name, or the number of devices. */
  readonly target: string | number;
  readonly onlyFailed: boolean;
  /** Limits the run to devices with this output. */
  readonly answer?: string;
}
