import type { RenderedMessage } from './render-message.ts';

/** One message on its way to one person. */
export interface Delivery extends RenderedMessage {
  /** The same in every attempt: the other side may recognize a repetition by it. */
  readonly id: string;
  readonly to: string;
  readonly expiresAt: Date;
}

/** A way to people: a mail server, a gateway for text messages. */
export interface DeliveryChannel {
  /**
   * Resolves when the other side took the message.
   * @param handOver to be awaited before the first byte of the message leaves: before it nothing was sent for certain
   * @throws DeliveryError; what `handOver` throws comes through as it is
   */
  deliver(delivery: Delivery, handOver: () => Promise<void>): Promise<void>;
}

/**
 * - `refused`: this address or number takes no message.
 * - `later`: not sent for certain; another attempt may succeed.
 * - `uncertain`: the connection broke when the message may have been taken already.
 */
export type DeliveryFailure = 'refused' | 'later' | 'uncertain';

export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly failure: DeliveryFailure;
  /** Short and without any address: `550 5.1.1`, `ECONNECTION`. */
  readonly reason: string;

  constructor(failure: DeliveryFailure, reason: string) {
    // No cause: answers of mail servers repeat the address, and errors are logged.
    super(`The message was not delivered (${failure}: ${reason}).`);
    this.failure = failure;
    this.reason = reason;
  }
}
