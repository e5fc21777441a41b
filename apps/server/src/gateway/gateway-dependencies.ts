import type { BucketRule } from '@deviceportal/contract/device-limits';
import type { ConnectionMessage } from '@deviceportal/device-protocol/messages';
import type { CountryDatabase } from '../locations/by-address/country-database.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { AnnouncedAuthorities } from './certificates/announced-authorities.ts';
import type { DeviceKeys } from './certificates/announce-keys.ts';
import type { CertificateAuthority } from './certificates/certificate-authority.ts';
import type { CertificateRegistry } from './iot/certificate-registry.ts';
import type { DeviceTransport, OverflowKind, Refusal } from './device-transport.ts';
import type { GatewayLogger } from './gateway-logger.ts';

export interface GatewayDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly transport: DeviceTransport;
  readonly authority: Pick<CertificateAuthority, 'sign'> & AnnouncedAuthorities;
  /** Where the broker accepts only registered certificates. */
  readonly registry?: Pick<CertificateRegistry, 'register'> | undefined;
  readonly logger: GatewayLogger;
  /** Sent to devices that have pinned others. */
  readonly deviceKeys: DeviceKeys;
  /** Sent to devices that have another revision. */
  readonly connection: ConnectionMessage;
  readonly clock: () => Date;
  /** How much one device may write at once and over time; default: `JOURNAL_QUOTA`. */
  readonly journalQuota?: BucketRule;
  readonly meter?: GatewayMeter;
  /** How long samples of metrics are stored, in days; default: `METRIC_RETENTION.sampleDays`. */
  readonly metricSampleDays?: number;
  /** Maps addresses to countries, for devices without a better location. */
  readonly countries?: CountryDatabase | undefined;
}

/**
 * What became of a message from a queue: its entries are stored, its rejection is recorded, it has
 * to be delivered again, or no device can have sent it.
 */
export type QueueOutcome = 'committed' | 'refused' | 'deferred' | 'unreadable';

/**
 * Why samples of metrics were not stored: they were older than their retention, or too many messages
 * were waiting, so that the device sends them again.
 */
export type SkippedSamples = 'expired' | 'queue-full';

/** Counts the messages of devices. */
export interface GatewayMeter {
  readonly journalEntries: (count: number, seconds: number) => void;
  readonly heartbeats: (count: number) => void;
  readonly refused: (reason: Refusal['reason']) => void;
  readonly overLimit: (kind: OverflowKind, count: number) => void;
  readonly storedSamples: (count: number, seconds: number) => void;
  /** Samples of metrics that were not stored. */
  readonly skippedSamples: (reason: SkippedSamples, count: number) => void;
  readonly queued: (outcome: QueueOutcome) => void;
  /** A message to a device that could not be sent. */
  readonly dropped: () => void;
}
