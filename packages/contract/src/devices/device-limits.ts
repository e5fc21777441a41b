/**
 * Limits for a single device. They are generous for normal devices: a run with all its output and
 * the journal of a long outage are accepted, possibly delayed. `docs/guides/hardening.md` documents
 * them for operators.
 */

/** Token bucket: the burst size and the refill rate per second. */
export interface BucketRule {
  readonly burst: number;
  readonly perSecond: number;
}

const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * Counts journal entries that write an event. See `journal-quota.ts` for the cost of other entries.
 */
export const JOURNAL_QUOTA: BucketRule = { burst: 10_000, perSecond: 1 };
/** For the `data` of an event and the `details` of an inventory, as JSON. */
export const JOURNAL_DATA_LIMIT_CHARACTERS = 32 * KIB;
export const INVENTORY_DETAILS_LIMIT_CHARACTERS = 64 * KIB;
/** A device with more packages cannot add any. The last accepted list is stored completely. */
export const PACKAGES_PER_DEVICE = 20_000;
/**
 * Version changes of components, and the same number for packages. The oldest are deleted first.
 */
export const SOFTWARE_CHANGES_PER_DEVICE = 20_000;
/** Nesting depth of objects and arrays. */
export const JOURNAL_DATA_LIMIT_DEPTH = 16;

/**
 * Messages on all topics. Beyond the limit, the embedded broker throttles the device's connection.
 */
export const MESSAGE_QUOTA: BucketRule = { burst: 2_000, perSecond: 200 };
export const MESSAGE_BYTES_QUOTA: BucketRule = { burst: 16 * MIB, perSecond: MIB };
/** For a heartbeat per minute. With shorter intervals, proportionally more. */
export const HEARTBEAT_QUOTA: BucketRule = { burst: 10, perSecond: 4 / 60 };
/** Connections, and birth and death messages within one of them. */
export const CONNECT_QUOTA: BucketRule = { burst: 30, perSecond: 6 / 60 };
/** TLS handshakes with one certificate. MQTT clients reach `CONNECT_QUOTA` first. */
export const HANDSHAKE_QUOTA: BucketRule = { burst: 120, perSecond: 30 / 60 };
export const STATUS_QUOTA: BucketRule = { burst: 5, perSecond: 1 / 60 };
/** All birth and death messages of a device, over all its connections. */
export const PRESENCE_QUOTA: BucketRule = { burst: 200, perSecond: 40 / 60 };
export const RENEWAL_QUOTA: BucketRule = { burst: 4, perSecond: 4 / 3_600 };

/** Data deferred or lost beyond a device's limits is recorded in one audit event per window. */
export const OVERFLOW_WINDOW_MS = 600_000;

/**
 * Counts values, samples, and 20 for each hour in which a message has samples. The burst is more than
 * a week of samples every minute; the rate is more than one sample of 14 values every second.
 */
export const METRIC_QUOTA: BucketRule = { burst: 200_000, perSecond: 200 };

/** Files that documents collect, per invocation and per device in 24 hours. */
export const COLLECTED_FILES_PER_INVOCATION = { files: 100, bytes: 1_024 * MIB } as const;
export const COLLECTED_FILES_PER_DAY = { files: 1_000, bytes: 5 * 1_024 * MIB } as const;
/** Concurrent uploads of one device and of all devices. */
export const UPLOADS_AT_ONCE = { perDevice: 4, inAll: 200 } as const;

/** Brokers that a device or a gateway chooses from. */
export const BROKERS_LIMIT = 32;
/** Time between the heartbeats of a device, in seconds. */
export const HEARTBEAT_SECONDS_RANGE = { min: 5, max: 3_600 } as const;

/** Connections to the embedded broker. An address is an IPv4 address or an IPv6 /64. */
export const BROKER_CONNECTIONS = {
  inAll: 50_000,
  perAddress: 10_000,
  /** Not yet admitted: in the handshake, or before their CONNECT. */
  waitingInAll: 10_000,
  waitingPerAddress: 1_000,
} as const;
/** Connections without a valid client certificate. Rejected immediately beyond the limit. */
export const FAILED_HANDSHAKE_QUOTA: BucketRule = { burst: 200, perSecond: 10 };
export const HANDSHAKE_LIMIT_MS = 20_000;
/** A client that does not read its messages is disconnected after this time or this backlog. */
export const SLOW_CLIENT_LIMIT_MS = 20_000;
export const SLOW_CLIENT_LIMIT_BYTES = MIB;

/** Packets other than PUBLISH (pings, acknowledgments, subscriptions) of one connection. */
export const PACKET_QUOTA: BucketRule = { burst: 500, perSecond: 50 };
/** Watch messages of one browser. */
export const VIEWER_MESSAGE_QUOTA: BucketRule = { burst: 200, perSecond: 20 };
export const CONNECTIONS_PER_VIEWER = 50;
export const SUBSCRIPTIONS_PER_PACKET = 16;
export const TOPIC_LIMIT_CHARACTERS = 256;
export const TOPIC_LIMIT_LEVELS = 8;
export const WILL_LIMIT_BYTES = 4 * KIB;
export const KEEP_ALIVE_LIMIT_SECONDS = 1_200;

/** Enrollment attempts from one address, successful or not. */
export const ENROLLMENT_QUOTA: BucketRule = { burst: 600, perSecond: 10 };
