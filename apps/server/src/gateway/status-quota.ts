import { STATUS_QUOTA } from '@deviceportal/contract/device-limits';
import { TokenBucket } from '../platform/token-buckets.ts';

/** Births and goodbyes that each connection may still send: one of each, and a few more if they contain changes. */
export class StatusQuota {
  readonly #left = new WeakMap<object, TokenBucket>();

  /** A will always counts: it is published after its connection has ended. */
  take(client: { readonly conn: object; readonly closed?: boolean }, topic: string): boolean {
    if (client.closed || !topic.endsWith('/up/status')) return true;
    const known = this.#left.get(client.conn) ?? new TokenBucket(STATUS_QUOTA);
    this.#left.set(client.conn, known);
    return known.take();
  }
}
