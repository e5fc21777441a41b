import type { BucketRule } from '@deviceportal/contract/device-limits';
import type { CountryDatabase } from '../locations/by-address/country-database.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { AnnouncedAuthorities } from './certificates/announced-authorities.ts';
import type { DeviceKeys } from './certificates/announce-keys.ts';
import type { CertificateAuthority } from './certificates/certificate-authority.ts';
import type { DeviceTransport, OverflowKind, Refusal } from './device-transport.ts';
import type { GatewayLogger } from './gateway-logger.ts';

export interface GatewayDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly transport: DeviceTransport;
  readonly authority: Pick<CertificateAuthority, 'sign'> & AnnouncedAuthorities;
  readonly logger: GatewayLogger;
  /** Told to devices that have pinned others. */
  readonly deviceKeys: DeviceKeys;
  readonly clock: () => Date;
  /** What one device may write at once and in time; `JOURNAL_QUOTA` where it is not given. */
  readonly journalQuota?: BucketRule;
  readonly meter?: GatewayMeter;
  /** Where addresses are, for devices that do not say it better themselves. */
  readonly countries?: CountryDatabase | undefined;
}

/** Counts what devices send. */
export interface GatewayMeter {
  readonly journalEntries: (count: number, seconds: number) => void;
  readonly heartbeats: (count: number) => void;
  readonly refused: (reason: Refusal['reason']) => void;
  readonly overLimit: (kind: OverflowKind, count: number) => void;
}
