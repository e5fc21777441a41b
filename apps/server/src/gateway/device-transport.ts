import type { DownChannel, UpChannel } from '@deviceportal/device-protocol/topics';

/** A message from a device; the broker has verified that the topic is the device's own. */
export interface UpMessage {
  readonly deviceId: string;
  readonly channel: UpChannel;
  readonly payload: Uint8Array;
  /** With a status: the address from which the device is connected. Unknown with an external broker. */
  readonly address?: string | null;
  /** When it was received from the device, if it came by a queue; messages then arrive in any order. */
  readonly receivedAt?: Date;
  /** Earlier messages of the device may arrive later, so that a missing one is not lost. */
  readonly isUnordered?: boolean;
}

export interface DownMessage {
  readonly deviceId: string;
  readonly channel: DownChannel;
  /** The message without its `sharedEnd`. */
  readonly payload: string;
  /** The end that a message shares with others; posted to the broker's thread once for all of them. */
  readonly sharedEnd?: string;
  /**
   * 0 if the device requests the data again itself, 1 for commands. The embedded broker sends commands with 0, because
   * they are sent again until they are answered.
   */
  readonly qos: 0 | 1;
}

/** A connection request of a device, as described by its certificate. */
export interface ConnectRequest {
  readonly deviceId: string;
  /** SHA-256 of the certificate, lower-case hexadecimal; null on a connection without TLS. */
  readonly fingerprint: string | null;
  /** The organizational unit of the certificate. */
  readonly instanceId: string | null;
  /** ISO 8601. */
  readonly certificateStartsAt: string | null;
  readonly certificateEndsAt: string | null;
  readonly address: string | null;
}

/** `later`: could not be decided; the device will reconnect. */
export type Admission = 'admitted' | 'refused' | 'later';

/** Something that a device attempted without permission. */
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

/** What a device sent beyond its limits: held back if the device sends it again, else lost. */
export type OverflowKind =
  | 'journal-entries'
  | 'messages'
  | 'heartbeats'
  | 'metrics'
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
  /** Resolves when the messages are processed: until then they count against the sender's credit. */
  readonly up: (messages: readonly UpMessage[]) => Promise<void>;
  /** Decides for each request, in order, whether the device may connect. */
  readonly admit: (requests: readonly ConnectRequest[]) => Promise<readonly boolean[]>;
  readonly refused: (refusals: readonly Refusal[]) => void;
  readonly overflowed: (overflows: readonly Overflow[]) => void;
  /** All connections are lost: the state of devices is unknown until they send something again. */
  readonly reset: () => void;
}

/** How the gateway reaches devices. Delivery is at most once; the journal and the database provide durability. */
export interface DeviceTransport extends AsyncDisposable {
  /** Whether all connections of devices end with this process. */
  readonly ownsConnections: boolean;
  /**
   * How long messages of devices have been received without interruption, in milliseconds; 0 while they are not.
   * Infinite if all connections end with this process.
   */
  readonly listeningMs: () => number;
  readonly start: (handlers: DeviceTransportHandlers) => Promise<void>;
  /** Messages to devices that are not connected are dropped. */
  readonly publish: (messages: readonly DownMessage[]) => void;
  /** Ends connections; does nothing with an external MQTT broker. */
  readonly disconnect: (deviceIds: readonly string[]) => void;
  /** Where certificates are registered: accepts those of devices that may connect, and no others. */
  readonly settleCertificates?: (deviceIds: readonly string[]) => void;
}
