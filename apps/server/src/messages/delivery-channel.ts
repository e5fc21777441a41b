import type { RenderedMessage } from './render-message.ts';

/** One message to one recipient. */
export interface Delivery extends RenderedMessage {
  /** The same in every attempt, so that the server can recognize a duplicate. */
  readonly id: string;
  readonly to: string;
  readonly expiresAt: Date;
}

/** A way to deliver messages: a mail server, or a gateway for text messages. */
export interface DeliveryChannel {
  /**
   * Resolves when the server has accepted the message.
   * @param handOver await this before the first byte of the message is sent: before it, certainly nothing was sent
   * @throws DeliveryError; errors of `handOver` are passed on unchanged
   */
  deliver(delivery: Delivery, handOver: () => Promise<void>): Promise<void>;
}

/**
 * - `refused`: the recipient is rejected permanently.
 * - `later`: certainly not sent; another attempt may succeed.
 * - `uncertain`: the connection was lost when the message may already have been accepted.
 */
export type DeliveryFailure = 'refused' | 'later' | 'uncertain';

export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly failure: DeliveryFailure;
  /** Short and without an address: `550 5.1.1`, `ECONNECTION`. */
  readonly reason: string;

  constructor(failure: DeliveryFailure, reason: string) {
    // Without a cause: replies of mail servers contain the address, and errors are logged.
    super(`The message was not delivered (${failure}: ${reason}).`);
    this.failure = failure;
    this.reason = reason;
  }
}
