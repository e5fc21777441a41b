import { MESSAGE_BYTES_QUOTA, MESSAGE_QUOTA } from '@deviceportal/contract/device-limits';
import { TokenBuckets } from '../platform/token-buckets.ts';

/**
 * Limits how fast a device is read, over all of its connections. Excess messages are accepted and acknowledged later:
 * the broker reads nothing further from a connection until all of its messages are processed, so nothing is lost.
 */
export class DeviceThrottle {
  readonly #messages = new TokenBuckets(MESSAGE_QUOTA);
  readonly #bytes = new TokenBuckets(MESSAGE_BYTES_QUOTA);

  /** How long the acknowledgement of a message must be delayed, in milliseconds. */
  waitMs(deviceId: string, bytes: number): number {
    return Math.max(this.#messages.of(deviceId).owe(1), this.#bytes.of(deviceId).owe(bytes));
  }
}
