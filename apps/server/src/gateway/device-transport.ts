import type { DownChannel, UpChannel } from '@deviceportal/device-protocol/topics';

/** From a device; the broker has checked that the topic is the device's own. */
export interface UpMessage {
  readonly deviceId: string;
  readonly channel: UpChannel;
  readonly payload: Uint8Array;
  /** With a status: from where the device is connected. Unknown where the broker is not ours. */
  readonly address?: string | null;
}

export interface DownMessage {
  readonly deviceId: string;
  readonly channel: DownChannel;
  /** The message without its `sharedEnd`. */
  readonly payload: string;
  /** The end that a message has in common with others; posted to the broker's thread once for all of them. */
  readonly sharedEnd?: string;
  /** 0 where the device asks again by itself, 1 for commands. */
  readonly qos: 0 | 1;
}

/** A device that wants to connect, as its certificate says. */
export interface ConnectRequest {
  readonly deviceId: string;
  /** SHA-256 of the certificate, lower-case hexadecimal; null on a connection without TLS. */
  readonly fingerprint: string | null;
  /** The certificate's organisational unit. */
  readonly instanceId: string | null;
  /** ISO 8601. */
  readonly certificateStartsAt: string | null;
  readonly certificateEndsAt: string | null;
  readonly address: string | null;
}

/** `later`: nobody could say; the device comes back. */
export type Admission = 'admitted' | 'refused' | 'later';

/** Something a device may not do, and did not get. */
export interface Refusal {
  readonly deviceId: string;
  readonly reason:
    | 'foreign-topic'
    | 'foreign-subscription'
    | 'wrong-client-id'
    | 'message-too-large'
    | 'not-admitted'
    | 'broken-payload'
    | 'entry-failed';
  readonly address?: string | null;
  readonly detail?: string;
}

/** What a device sent beyond its limits: held back, where the device sends it again, else lost. */
export type OverflowKind =
  | 'journal-entries'
  | 'messages'
  | 'heartbeats'
  | 'status-reports'
  | 'renewals'
  | 'connections'
  | 'packets';

export interface Overflow {
  readonly deviceId: string;
  readonly kind: OverflowKind;
  readonly count: number;
}

export interface DeviceTransportHandlers {
  /** Resolves when the messages are dealt with: until then they count against the sender's credit. */
  readonly up: (messages: readonly UpMessage[]) => Promise<void>;
  /** For each request, in order, whether the device may connect. */
  readonly admit: (requests: readonly ConnectRequest[]) => Promise<readonly boolean[]>;
  readonly refused: (refusals: readonly Refusal[]) => void;
  readonly overflowed: (overflows: readonly Overflow[]) => void;
  /** Every connection is gone without a word: nothing is known until devices speak again. */
  readonly reset: () => void;
}

/** How the gateway reaches devices. Delivery is at most once; durability is the journal's and the database's. */
export interface DeviceTransport extends AsyncDisposable {
  /** Whether this process alone holds the devices' connections, so that its restart ends them all. */
  readonly ownsConnections: boolean;
  readonly start: (handlers: DeviceTransportHandlers) => Promise<void>;
  /** Messages to devices that are not connected vanish. */
  readonly publish: (messages: readonly DownMessage[]) => void;
  /** Ends connections; a no-op where the broker is not ours. */
  readonly disconnect: (deviceIds: readonly string[]) => void;
}
