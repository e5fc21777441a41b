import { MESSAGE_BYTES_QUOTA, MESSAGE_QUOTA } from '@deviceportal/contract/device-limits';
import { TokenBuckets } from '../platform/token-buckets.ts';

/**
 * How fast a device is read, over all of its connections. What it says too fast is taken, and answered later: the broker
 * reads no further from a connection until everything that it has read is dealt with, so nothing is lost.
 */
export class DevicePace {
  readonly #messages = new TokenBuckets(MESSAGE_QUOTA);
  readonly #bytes = new TokenBuckets(MESSAGE_BYTES_QUOTA);

  /** How long a message has to wait for its answer, in milliseconds. */
  waitMs(deviceId: string, bytes: number): number {
    return Math.max(this.#messages.of(deviceId).owe(1), this.#bytes.of(deviceId).owe(bytes));
  }
}
