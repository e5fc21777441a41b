/**
 * What one device may ask of the portal. Generous for honest devices: a run with all of its output and the journal of a
 * long outage pass, if need be later. `docs/guides/hardening.md` repeats them for operators.
 */

/** A token bucket: so many at once, so many more each second. */
export interface BucketRule {
  readonly burst: number;
  readonly perSecond: number;
}

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Counted in journal entries that write an event; `journal-quota.ts` says what others cost. */
export const JOURNAL_QUOTA: BucketRule = { burst: 10_000, perSecond: 1 };
/** Of one event's `data` and of one inventory's `details`, as JSON. */
export const JOURNAL_DATA_LIMIT_CHARACTERS = 32 * KIB;
export const INVENTORY_DETAILS_LIMIT_CHARACTERS = 64 * KIB;
/** A device that has so many adds none; the last list that it may add is taken whole. */
export const PACKAGES_PER_DEVICE = 20_000;
/** Changes of versions of components, and as many of packages: the oldest go first. */
export const SOFTWARE_CHANGES_PER_DEVICE = 20_000;
/** Objects and arrays within each other. */
export const JOURNAL_DATA_LIMIT_DEPTH = 16;

/** Messages on all topics; beyond it the embedded broker reads the device's connection more slowly. */
export const MESSAGE_QUOTA: BucketRule = { burst: 2_000, perSecond: 200 };
export const MESSAGE_BYTES_QUOTA: BucketRule = { burst: 16 * MIB, perSecond: MIB };
export const HEARTBEAT_QUOTA: BucketRule = { burst: 10, perSecond: 4 / 60 };
/** Connections, and births and goodbyes within one of them. */
export const CONNECT_QUOTA: BucketRule = { burst: 30, perSecond: 6 / 60 };
/** Handshakes with one certificate, whatever follows them; a client that speaks MQTT meets `CONNECT_QUOTA` before. */
export const HANDSHAKE_QUOTA: BucketRule = { burst: 120, perSecond: 30 / 60 };
export const STATUS_QUOTA: BucketRule = { burst: 5, perSecond: 1 / 60 };
/** All births and goodbyes of a device, over all of its connections. */
export const PRESENCE_QUOTA: BucketRule = { burst: 200, perSecond: 40 / 60 };
export const RENEWAL_QUOTA: BucketRule = { burst: 4, perSecond: 4 / 3_600 };

/** What a device held back or lost beyond its limits is told in one audit event for so long. */
export const OVERFLOW_WINDOW_MS = 600_000;

/** Files that documents collect: of one invocation, and of one device in 24 hours. */
export const COLLECTED_FILES_PER_INVOCATION = { files: 100, bytes: 1_024 * MIB } as const;
export const COLLECTED_FILES_PER_DAY = { files: 1_000, bytes: 5 * 1_024 * MIB } as const;
/** Uploads that one device has under way at once, and all devices together. */
export const UPLOADS_AT_ONCE = { perDevice: 4, inAll: 200 } as const;

/** Connections to the embedded broker. An address is an IPv4 address or an IPv6 /64. */
export const BROKER_CONNECTIONS = {
  inAll: 50_000,
  perAddress: 10_000,
  /** Not yet admitted: in the handshake, or before their CONNECT. */
  waitingInAll: 10_000,
  waitingPerAddress: 1_000,
} as const;
/** Connections without a certificate of ours: refused at once beyond it. */
export const FAILED_HANDSHAKE_QUOTA: BucketRule = { burst: 200, perSecond: 10 };
export const HANDSHAKE_LIMIT_MS = 20_000;
/** A client that does not take what it is sent is ended: after so long, or with so much waiting for it. */
export const SLOW_CLIENT_LIMIT_MS = 20_000;
export const SLOW_CLIENT_LIMIT_BYTES = MIB;

/** Packets other than PUBLISH (pings, acknowledgements, subscriptions) of one connection. */
export const PACKET_QUOTA: BucketRule = { burst: 500, perSecond: 50 };
/** What one browser says it looks at. */
export const VIEWER_MESSAGE_QUOTA: BucketRule = { burst: 200, perSecond: 20 };
export const CONNECTIONS_PER_VIEWER = 50;
export const SUBSCRIPTIONS_PER_PACKET = 16;
export const TOPIC_LIMIT_CHARACTERS = 256;
export const TOPIC_LIMIT_LEVELS = 8;
export const WILL_LIMIT_BYTES = 4 * KIB;
export const KEEP_ALIVE_LIMIT_SECONDS = 1_200;

/** Enrolments from one address, right or wrong. */
export const ENROLMENT_QUOTA: BucketRule = { burst: 600, perSecond: 10 };
