/** Messages between the broker's thread and the main thread, always in batches. */

import type {
  Admission,
  ConnectRequest,
  Overflow,
  Refusal,
  UpMessage,
} from '../device-transport.ts';
import type { PackedDown } from './packed-down.ts';
import type { ConnectionLimits } from './socket-gate.ts';
import type { RejectedSocketFacts } from './rejected-sockets.ts';
import type { ViewerFacts } from './viewer-policy.ts';

/** PEM. */
export interface BrokerCertificates {
  /** PEM of the authorities whose client certificates are accepted. */
  readonly authorities: string;
  readonly certificate: string;
  readonly key: string;
}

export interface BrokerWorkerData {
  /** TLS port with client certificates; null serves viewers only. */
  readonly devices: (BrokerCertificates & { readonly host: string; readonly port: number }) | null;
  /** Port without TLS, for measurements: the username is trusted. */
  readonly plain: { readonly host: string; readonly port: number } | null;
  /** Unix socket over which viewers' connections are handed over, with their identity. */
  readonly viewerSocket: string | null;
  readonly connections: ConnectionLimits;
  readonly maxMessageBytes: number;
  /** Bytes that may be pending in the main thread before publishers are held. */
  readonly creditBytes: number;
}

export interface PendingConnect extends ConnectRequest {
  readonly ref: number;
}

export interface ViewerMessage {
  /** MQTT client id. */
  readonly connection: string;
  readonly viewerId: string;
  readonly payload: string;
}

export type FromBroker =
  | {
      readonly kind: 'listening';
      readonly tlsPort: number | null;
      readonly plainPort: number | null;
    }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'connects'; readonly requests: readonly PendingConnect[] }
  | { readonly kind: 'up'; readonly messages: readonly UpMessage[]; readonly bytes: number }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'overflowed'; readonly overflows: readonly Overflow[] }
  | ({ readonly kind: 'rejected-sockets' } & RejectedSocketFacts)
  | { readonly kind: 'watches'; readonly messages: readonly ViewerMessage[] }
  | { readonly kind: 'viewers-gone'; readonly connections: readonly string[] }
  | { readonly kind: 'connections'; readonly count: number };

export type ToBroker =
  | {
      readonly kind: 'admitted';
      readonly answers: readonly { readonly ref: number; readonly admission: Admission }[];
    }
  | { readonly kind: 'credit'; readonly bytes: number }
  | { readonly kind: 'certificates'; readonly certificates: BrokerCertificates }
  | PackedDown
  | { readonly kind: 'disconnect'; readonly deviceIds: readonly string[] }
  | {
      readonly kind: 'live';
      readonly messages: readonly {
        readonly connection: string;
        readonly viewerId: string;
        readonly payload: string;
      }[];
    }
  | { readonly kind: 'end-viewers'; readonly connections: readonly string[] }
  | { readonly kind: 'count' }
  | { readonly kind: 'stop' };

/** The one line that precedes a viewer's bytes on the hand-over socket. */
export interface ViewerHandover extends ViewerFacts {
  /** Milliseconds since 1970: the connection ends when the credentials expire. */
  readonly expiresAtMs: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}
