import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DeviceEngineName, FailingPart } from '@deviceportal/contract/devices';
import type { FileOfferState } from '@deviceportal/contract/device-files';
import type { TerminalOfferState } from '@deviceportal/contract/terminals';
import type { MachineFacts } from '@deviceportal/contract/re-enrollment';
import type { Connectivity, DeviceLifecycle, InstanceState } from '@deviceportal/contract/states';
import { moment, portalNow } from '../../platform/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A timestamp that can be infinite, which JavaScript dates cannot represent. Kept as PostgreSQL text. */
const rank = customType<{ data: string }>({ dataType: () => 'timestamptz' });

/**
 * Attributes of a device. Frequently changing connection data is in `device_status`, because a status change would
 * otherwise update every index of this table (five times slower with a million rows).
 */
export const device = pgTable(
  'device',
  {
    id: uuid().primaryKey(),
    /** Unknown until the agent reports it. Uppercase. */
    serialNumber: text('serial_number').unique(),
    name: text().notNull(),
    model: text(),
    hardwareRevision: text('hardware_revision'),
    ownerId: uuid('owner_id'),
    country: text(),
    timeZone: text('time_zone'),
    labels: jsonb().$type<Record<string, string>>().notNull().default({}),
    lifecycle: text().$type<DeviceLifecycle>().notNull(),
    /** What runs commands on it. Never changes. */
    engine: text().$type<DeviceEngineName>().notNull().default('agent'),
    /** Lowercase text for free search: serial number, name, owner, model, label values. */
    searchText: text('search_text').notNull().default(''),
    /** Sort key by serial number, also if it is unknown. Never null, so that keyset pages can compare it. */
    serialRank: text('serial_rank').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    updatedAt: moment('updated_at').notNull().default(portalNow),
  },
  (table) => [
    uniqueIndex('device_by_serial').on(sql`${table.serialRank} collate "C"`, table.id),
    index('device_by_name').on(sql`${table.name} collate "C"`, table.id),
    index('device_by_created').on(table.createdAt),
    index('device_by_owner').on(table.ownerId, table.id),
    // One index per facet and sort order, so that rare values are found without scanning the order.
    index('device_country_serial').on(
      table.country,
      sql`${table.serialRank} collate "C"`,
      table.id,
    ),
    index('device_country_name').on(table.country, sql`${table.name} collate "C"`, table.id),
    index('device_model_serial').on(table.model, sql`${table.serialRank} collate "C"`, table.id),
    index('device_model_name').on(table.model, sql`${table.name} collate "C"`, table.id),
    // A random order that is always the same, for samples of all devices and of a model.
    index('device_sample').on(sql`uuid_hash(${table.id})`, table.id),
    index('device_model_sample').on(table.model, sql`uuid_hash(${table.id})`, table.id),
    // Nearly all devices are active, so only the others are indexed.
    index('device_lifecycle_serial')
      .on(table.lifecycle, sql`${table.serialRank} collate "C"`, table.id)
      .where(sql`${table.lifecycle} <> 'active'`),
    index('device_lifecycle_name')
      .on(table.lifecycle, sql`${table.name} collate "C"`, table.id)
      .where(sql`${table.lifecycle} <> 'active'`),
    index('device_search').using('gin', sql`${table.searchText} gin_trgm_ops`),
    index('device_labels').using('gin', sql`${table.labels} jsonb_path_ops`),
  ],
);

/** Current connection of a device, with copies of the facets that lists filter by. No GIN index. */
export const deviceStatus = pgTable(
  'device_status',
  {
    deviceId: uuid('device_id').primaryKey(),
    connectivity: text().$type<Connectivity>().notNull().default('never'),
    connectivitySince: moment('connectivity_since'),
    /**
     * Sort key of "last seen": infinity while connected, otherwise the time of the disconnect, or -infinity if the
     * device never connected. Not null, and changed only on connect and disconnect.
     */
    seenRank: rank('seen_rank')
      .notNull()
      .default(sql`'-infinity'`),
    /** Not indexed, so that a heartbeat is a heap-only update. */
    lastSeenAt: moment('last_seen_at'),
    disconnectReason: text('disconnect_reason'),
    connectionId: uuid('connection_id'),
    /** Failing checks of the self-check: `[{ part, fact }]`. */
    failing: jsonb().$type<FailingPart[]>().notNull().default([]),
    diskUsedPercent: doublePrecision('disk_used_percent'),
    memoryUsedPercent: doublePrecision('memory_used_percent'),
    uptimeSeconds: doublePrecision('uptime_seconds'),
    heartbeatAt: moment('heartbeat_at'),
    /** Time between the heartbeats of the device; null for agents that send one every 60 s. */
    heartbeatSeconds: integer('heartbeat_seconds'),
    instanceId: text('instance_id'),
    agentVersion: text('agent_version'),
    platform: text(),
    ipAddress: text('ip_address'),
    softwareVersion: text('software_version'),
    /** The worst TAV state of the device's components (`device_tav`); `none` if no component has approvals. */
    tavState: text('tav_state').notNull().default('none'),
    country: text(),
    model: text(),
    lifecycle: text().$type<DeviceLifecycle>().notNull().default('pending'),
    /** Copies of the device's sort keys, for lists such as "degraded, by name". */
    serialRank: text('serial_rank').notNull().default(''),
    name: text().notNull().default(''),
  },
  (table) => [
    // Every status change writes all indexes of this table. This one serves all devices, those with a connectivity, and
    // those with a TAV state, by merging its ranges.
    index('device_status_seen').on(
      table.connectivity,
      table.tavState,
      table.seenRank,
      table.deviceId,
    ),
    index('device_status_country').on(table.country, table.seenRank, table.deviceId),
    index('device_status_model').on(table.model, table.seenRank, table.deviceId),
    index('device_status_connectivity_serial').on(
      table.connectivity,
      sql`${table.serialRank} collate "C"`,
      table.deviceId,
    ),
    index('device_status_connectivity_name').on(
      table.connectivity,
      sql`${table.name} collate "C"`,
      table.deviceId,
    ),
    index('device_status_lifecycle')
      .on(table.lifecycle, table.seenRank, table.deviceId)
      .where(sql`${table.lifecycle} <> 'active'`),
    // Partial indexes for the few devices with failing checks. Updates of other rows do not write them.
    index('device_status_failing_seen')
      .on(table.seenRank, table.deviceId)
      .where(sql`${table.failing} <> '[]'::jsonb`),
    index('device_status_failing_serial')
      .on(sql`${table.serialRank} collate "C"`, table.deviceId)
      .where(sql`${table.failing} <> '[]'::jsonb`),
    index('device_status_failing_name')
      .on(sql`${table.name} collate "C"`, table.deviceId)
      .where(sql`${table.failing} <> '[]'::jsonb`),
  ],
);

/**
 * Devices behind an external broker whose heartbeat said nothing new, so that their status was not written. A few
 * minutes are kept.
 */
export const deviceContact = pgTable(
  'device_contact',
  {
    at: moment('at').notNull(),
    deviceIds: uuid('device_ids').array().notNull(),
  },
  (table) => [index('device_contact_at').on(table.at)],
);

/** Certificates of devices that are registered at AWS IoT. */
export const registeredCertificate = pgTable(
  'registered_certificate',
  {
    /** SHA-256 over DER, lower-case hexadecimal; also the ID at AWS IoT. */
    fingerprint: text().primaryKey(),
    deviceId: uuid('device_id').notNull(),
    /** Null for the first certificate of an instance. */
    instanceId: text('instance_id'),
    startsAt: moment('starts_at').notNull(),
    endsAt: moment('ends_at').notNull(),
    registeredAt: moment('registered_at').notNull().default(portalNow),
    /** Whether AWS IoT accepts it. */
    isActive: boolean('is_active').notNull().default(true),
  },
  (table) => [
    index('registered_certificate_by_device').on(table.deviceId),
    index('registered_certificate_by_end').on(table.endsAt),
  ],
);

/** The newest connection event of AWS IoT for each device. Events arrive in any order, and more than once. */
export const connectionEvent = pgTable('connection_event', {
  deviceId: uuid('device_id').primaryKey(),
  /** Grows with each connection of a device; begins again after an hour without any. */
  version: bigint({ mode: 'number' }).notNull(),
  at: moment('at').notNull(),
  isConnected: boolean('is_connected').notNull(),
});

/** One row per label, for filters by label with any sort order. */
export const deviceLabel = pgTable(
  'device_label',
  {
    key: text().notNull(),
    value: text().notNull(),
    deviceId: uuid('device_id').notNull(),
    serialRank: text('serial_rank').notNull(),
    name: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.key] }),
    index('device_label_by_serial').on(
      table.key,
      table.value,
      sql`${table.serialRank} collate "C"`,
      table.deviceId,
    ),
    index('device_label_by_name').on(
      table.key,
      table.value,
      sql`${table.name} collate "C"`,
      table.deviceId,
    ),
  ],
);

/** An installation of the agent on a device. */
export const deviceInstance = pgTable(
  'device_instance',
  {
    id: text().primaryKey(),
    deviceId: uuid('device_id').notNull(),
    state: text().$type<InstanceState>().notNull(),
    platformType: text('platform_type').notNull(),
    platformName: text('platform_name').notNull(),
    platformVersion: text('platform_version').notNull(),
    architecture: text().notNull(),
    agentVersion: text('agent_version').notNull(),
    hostName: text('host_name').notNull(),
    ipAddress: text('ip_address'),
    enrolledAt: moment('enrolled_at').notNull().default(portalNow),
    lastPingAt: moment('last_ping_at'),
    certificateFingerprint: text('certificate_fingerprint').notNull(),
    /** A renewed certificate that starts later replaces this one when it is first used. */
    certificateStartsAt: moment('certificate_starts_at'),
    certificateEndsAt: moment('certificate_ends_at').notNull(),
    /** Start of the last issued certificate, used or not; the next one starts later. */
    lastCertificateStartsAt: moment('last_certificate_starts_at'),
    /** Version of the protocol that the agent uses; null before its first connection, and without the agent. */
    protocol: integer(),
    /** IDs of the keys with which the agent verifies command signatures; null if it verifies none. */
    runKeyIds: text('run_key_ids').array(),
    /** IDs of the keys with which the agent verifies update signatures; null if it verifies none. */
    releaseKeyIds: text('release_key_ids').array(),
    /** Whether it offers terminals, as its agent stated; null for agents without them. */
    terminalOffer: text('terminal_offer').$type<TerminalOfferState>(),
    /** Whether it offers its files, as its agent stated; null for agents without them. */
    filesOffer: text('files_offer').$type<FileOfferState>(),
    /** Whether it can ask a person for consent to a terminal. */
    terminalConsent: boolean('terminal_consent').notNull().default(false),
    /** The web pages that can be opened, as JSON; null for agents without them. */
    webPages: text('web_pages'),
    /** The device's current journal, and its committed position. */
    journalEpoch: uuid('journal_epoch'),
    journalUpTo: bigint('journal_up_to', { mode: 'number' }).notNull().default(0),
    /** Remaining quota of its journal, and when; null if none was used. */
    journalTokens: doublePrecision('journal_tokens'),
    journalTokensAt: moment('journal_tokens_at'),
  },
  (table) => [
    index('device_instance_by_device').on(table.deviceId, table.enrolledAt),
    // IP addresses are often copied from network tools into the search.
    index('device_instance_by_address')
      .on(sql`${table.ipAddress} text_pattern_ops`)
      .where(sql`${table.state} = 'current'`),
    index('device_instance_by_host_name')
      .on(sql`lower(${table.hostName})`)
      .where(sql`${table.state} = 'current'`),
    uniqueIndex('device_instance_current')
      .on(table.deviceId)
      .where(sql`${table.state} = 'current'`),
  ],
);

/** Numbers of messages above a device's limits since a moment, by kind, until they are recorded as an audit event. */
export const deviceOverflow = pgTable('device_overflow', {
  deviceId: uuid('device_id').primaryKey(),
  since: moment('since').notNull(),
  counts: jsonb().$type<Record<string, number>>().notNull(),
});

export const deviceInventory = pgTable('device_inventory', {
  deviceId: uuid('device_id').primaryKey(),
  at: moment('at').notNull(),
  data: jsonb().$type<Record<string, unknown>>().notNull(),
});

/** A claim for enrolling devices. The token is stored as a hash. */
export const claim = pgTable(
  'claim',
  {
    id: uuid().primaryKey(),
    tokenHash: bytes('token_hash').notNull().unique(),
    model: text(),
    ownerId: uuid('owner_id'),
    country: text(),
    labels: jsonb().$type<Record<string, string>>().notNull().default({}),
    uses: integer().notNull(),
    usesLeft: integer('uses_left').notNull(),
    /** Whether only the devices in `claim_device` can be enrolled; otherwise any device. */
    onlyRecorded: boolean('only_recorded').notNull().default(false),
    deviceId: uuid('device_id'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    createdBy: text('created_by').notNull(),
    /** Null for claims of the portal itself. */
    createdById: uuid('created_by_id'),
    /** The temporary access by which it was created, and with which it ends. */
    accessGrantId: uuid('access_grant_id'),
    /** When it was rejected because its creator could no longer manage the devices that it enrolls. */
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('claim_by_access_grant')
      .on(table.accessGrantId)
      .where(sql`${table.accessGrantId} is not null`),
    index('claim_newest').on(table.createdAt, table.id),
    index('claim_by_maker').on(table.createdBy, table.expiresAt),
  ],
);

/** Devices that a claim from a CSV file can enroll. */
export const claimDevice = pgTable(
  'claim_device',
  {
    claimId: uuid('claim_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    /** When it was rejected for this device because its creator could no longer manage it. */
    endedAt: moment('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.claimId, table.deviceId] })],
);

/** Rejected enrollments of one address within a window, counted by all servers together. */
export const wrongClaimCount = pgTable(
  'wrong_claim_count',
  {
    /** Keyed hash of the address, or of the network of an IPv6 address. */
    subscriber: text().primaryKey(),
    count: integer().notNull(),
    until: moment('until').notNull(),
  },
  (table) => [index('wrong_claim_count_by_end').on(table.until)],
);

/** Request of a machine without the device's key to become the device. One per device; an expired one is replaced. */
export const reEnrollmentRequest = pgTable(
  're_enrollment_request',
  {
    deviceId: uuid('device_id').primaryKey(),
    id: uuid().notNull().unique(),
    /** The only key that the request is valid for. */
    keyFingerprint: text('key_fingerprint').notNull(),
    machine: jsonb().$type<MachineFacts>().notNull(),
    askedAt: moment('asked_at').notNull().default(portalNow),
    expiresAt: moment('expires_at').notNull(),
    decision: text().$type<'approved' | 'rejected'>(),
    decidedBy: text('decided_by'),
    decidedById: uuid('decided_by_id'),
    /** The temporary access by which it was approved, and with which the approval ends. */
    accessGrantId: uuid('access_grant_id'),
  },
  (table) => [index('re_enrollment_request_by_end').on(table.expiresAt)],
);

export const deviceNote = pgTable(
  'device_note',
  {
    id: uuid().primaryKey(),
    deviceId: uuid('device_id').notNull(),
    text: text().notNull(),
    authorId: uuid('author_id').notNull(),
    author: text().notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
  },
  (table) => [index('device_note_by_device').on(table.deviceId, table.createdAt)],
);

/** A pasted or uploaded list of serial numbers. URLs refer to a list by its ID. */
export const targetList = pgTable(
  'target_list',
  {
    id: uuid().primaryKey(),
    name: text().notNull().default(''),
    createdBy: uuid('created_by').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    count: integer().notNull(),
  },
  (table) => [index('target_list_by_maker').on(table.createdBy, table.createdAt)],
);

export const targetListEntry = pgTable(
  'target_list_entry',
  { listId: uuid('list_id').notNull(), serialNumber: text('serial_number').notNull() },
  (table) => [primaryKey({ columns: [table.listId, table.serialNumber] })],
);

export const savedView = pgTable(
  'saved_view',
  {
    id: uuid().primaryKey(),
    ownerId: uuid('owner_id').notNull(),
    name: text().notNull(),
    screen: text().notNull(),
    search: jsonb().$type<Record<string, string>>().notNull(),
    sharedWithRole: text('shared_with_role'),
    createdAt: moment('created_at').notNull().default(portalNow),
  },
  (table) => [index('saved_view_by_owner').on(table.ownerId, table.screen)],
);
