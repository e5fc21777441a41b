import type { Socket } from 'node:net';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import {
  type BROKER_CONNECTIONS,
  FAILED_HANDSHAKE_QUOTA,
  type BucketRule,
} from '@deviceportal/contract/device-limits';
import { RefusalPause } from '../../platform/refusal-pause.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';

export type ConnectionLimits = Readonly<Record<keyof typeof BROKER_CONNECTIONS, number>>;

export interface SocketGateOptions {
  readonly limits: ConnectionLimits;
  /** Limit of connections without a certificate of this installation, from one address. */
  readonly failures?: BucketRule;
  readonly onRejected: (bucket: string) => void;
}

/** Kept unread for a moment, which slows down a client that reconnects immediately. */
const REJECTED_PAUSE = { waitMs: 2_000, most: 2_000 };

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

interface Visitor {
  readonly bucket: string;
  /** It has presented a certificate of this installation. */
  isProven: boolean;
  isWaiting: boolean;
}

/** Counts connections by address when they are accepted, before they use any other resource. */
export class SocketGate {
  readonly #options: SocketGateOptions;
  readonly #failures: TokenBuckets;
  readonly #pause = new RefusalPause(REJECTED_PAUSE);
  readonly #visitors = new Map<string, Visitor>();
  readonly #open = new Map<string, number>();
  readonly #waiting = new Map<string, number>();
  #waitingInAll = 0;

  constructor(options: SocketGateOptions) {
    this.#options = options;
    this.#failures = new TokenBuckets(options.failures ?? FAILED_HANDSHAKE_QUOTA);
  }

  /** Returns whether a socket may stay; ends it otherwise. */
  admit(socket: Socket): boolean {
    const bucket = addressBucket(socket.remoteAddress ?? '');
    const hasRoom = this.#hasRoom(bucket);
    // Returned to connections that present a certificate of this installation.
    if (!hasRoom || !this.#failures.of(bucket).take()) {
      this.#options.onRejected(bucket);
      socket.on('error', () => {}).pause();
      if (hasRoom) this.#pause.tell(() => socket.destroy());
      else socket.destroy();
      return false;
    }
    const key = keyOf(socket);
    this.#visitors.set(key, { bucket, isProven: false, isWaiting: true });
    add(this.#open, bucket, 1);
    add(this.#waiting, bucket, 1);
    this.#waitingInAll += 1;
    socket.once('close', () => this.#leave(key));
    return true;
  }

  /** The peer has presented a certificate of this installation. */
  prove(peer: Peer): void {
    const visitor = this.#visitors.get(keyOf(peer));
    if (!visitor || visitor.isProven) return;
    visitor.isProven = true;
    this.#failures.of(visitor.bucket).giveBack();
  }

  /** The peer is admitted. */
  settle(peer: Peer): void {
    const visitor = this.#visitors.get(keyOf(peer));
    if (visitor) this.#endWaiting(visitor);
  }

  #hasRoom(bucket: string): boolean {
    const { limits } = this.#options;
    return (
      this.#visitors.size < limits.inAll &&
      this.#waitingInAll < limits.waitingInAll &&
      (this.#open.get(bucket) ?? 0) < limits.perAddress &&
      (this.#waiting.get(bucket) ?? 0) < limits.waitingPerAddress
    );
  }

  #leave(key: string): void {
    const visitor = this.#visitors.get(key);
    if (!visitor) return;
    this.#visitors.delete(key);
    this.#endWaiting(visitor);
    add(this.#open, visitor.bucket, -1);
  }

  #endWaiting(visitor: Visitor): void {
    if (!visitor.isWaiting) return;
    visitor.isWaiting = false;
    this.#waitingInAll -= 1;
    add(this.#waiting, visitor.bucket, -1);
  }
}

/** A TLS socket and the one below it have the same peer. */
const keyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
