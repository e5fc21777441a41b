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
import type { FailingPart } from '@deviceportal/contract/devices';
import type { MachineFacts } from '@deviceportal/contract/re-enrollment';
import type { Connectivity, DeviceLifecycle, InstanceState } from '@deviceportal/contract/states';
import { moment, portalNow } from '../../platform/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A timestamp that may be infinite, which no JavaScript date can be: kept as PostgreSQL's text. */
const rank = customType<{ data: string }>({ dataType: () => 'timestamptz' });

/**
 * Who a device is. Its hot side, connectivity, lives in `device_status`, because a status change here
 * would touch every index of this table (five times slower at a million rows).
 */
export const device = pgTable(
  'device',
  {
    id: uuid().primaryKey(),
    /** Unknown until the agent reports it. Upper case. */
    serialNumber: text('serial_number').unique(),
    name: text().notNull(),
    model: text(),
    hardwareRevision: text('hardware_revision'),
    ownerId: uuid('owner_id'),
    country: text(),
    timeZone: text('time_zone'),
    labels: jsonb().$type<Record<string, string>>().notNull().default({}),
    lifecycle: text().$type<DeviceLifecycle>().notNull(),
    /** Lower-case text that free search looks in: serial number, name, owner, model, label values. */
    searchText: text('search_text').notNull().default(''),
    /** What sorts where the serial number is unknown: never null, so that keyset pages compare it. */
    serialRank: text('serial_rank').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    updatedAt: moment('updated_at').notNull().default(portalNow),
  },
  (table) => [
    uniqueIndex('device_by_serial').on(sql`${table.serialRank} collate "C"`, table.id),
    index('device_by_name').on(sql`${table.name} collate "C"`, table.id),
    index('device_by_created').on(table.createdAt),
    index('device_by_owner').on(table.ownerId, table.id),
    // A facet under each sort, so that a rare value is found wherever it hides in the order.
    index('device_country_serial').on(
      table.country,
      sql`${table.serialRank} collate "C"`,
      table.id,
    ),
    index('device_country_name').on(table.country, sql`${table.name} collate "C"`, table.id),
    index('device_model_serial').on(table.model, sql`${table.serialRank} collate "C"`, table.id),
    index('device_model_name').on(table.model, sql`${table.name} collate "C"`, table.id),
    // Nearly every device is active: only the others are worth an index.
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

/** How a device is connected right now, with the facets that lists filter by, copied. No GIN index. */
export const deviceStatus = pgTable(
  'device_status',
  {
    deviceId: uuid('device_id').primaryKey(),
    connectivity: text().$type<Connectivity>().notNull().default('never'),
    connectivitySince: moment('connectivity_since'),
    /**
     * Sort key of "last seen": infinity while connected, the disconnect time otherwise, -infinity when never.
     * It has no nulls and changes only on connect and disconnect.
     */
    seenRank: rank('seen_rank')
      .notNull()
      .default(sql`'-infinity'`),
    /** Unindexed: a heartbeat is a heap-only update. */
    lastSeenAt: moment('last_seen_at'),
    disconnectReason: text('disconnect_reason'),
    connectionId: uuid('connection_id'),
    /** Self-check parts that fail: `[{ part, fact }]`. */
    failing: jsonb().$type<FailingPart[]>().notNull().default([]),
    diskUsedPercent: doublePrecision('disk_used_percent'),
    memoryUsedPercent: doublePrecision('memory_used_percent'),
    uptimeSeconds: doublePrecision('uptime_seconds'),
    heartbeatAt: moment('heartbeat_at'),
    instanceId: text('instance_id'),
    agentVersion: text('agent_version'),
    platform: text(),
    ipAddress: text('ip_address'),
    softwareVersion: text('software_version'),
    /** The worst of the device's TAV states (`device_tav`); `none` where nothing that it runs is under approval. */
    tavState: text('tav_state').notNull().default('none'),
    country: text(),
    model: text(),
    lifecycle: text().$type<DeviceLifecycle>().notNull().default('pending'),
    /** Copies of the device's sort keys, for "degraded, by name". */
    serialRank: text('serial_rank').notNull().default(''),
    name: text().notNull().default(''),
  },
  (table) => [
    // Every index here is written with every status change. One serves all devices, those of a connectivity and those
    // of a TAV state: its pieces are merged.
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
    // Few devices fail in something: small indexes, and no other row's update touches them.
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

/** One row per label, for filters by label under any sort. */
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

/** One installation of the agent on a device. */
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
    /** A renewed certificate that begins later takes the place of this one when it is first used. */
    certificateStartsAt: moment('certificate_starts_at'),
    certificateEndsAt: moment('certificate_ends_at').notNull(),
    /** Of the certificate that was issued last, used or not: the next one begins later. */
    lastCertificateStartsAt: moment('last_certificate_starts_at'),
    /** Ids of the keys whose signatures on commands it counts; null where its agent checks none. */
    runKeyIds: text('run_key_ids').array(),
    /** Ids of the keys whose signatures on updates it counts; null where its agent checks none. */
    releaseKeyIds: text('release_key_ids').array(),
    /** Which journal the device writes, and up to where it is committed here. */
    journalEpoch: uuid('journal_epoch'),
    journalUpTo: bigint('journal_up_to', { mode: 'number' }).notNull().default(0),
    /** What was left of its journal's quota, and when; null while it has not used any. */
    journalTokens: doublePrecision('journal_tokens'),
    journalTokensAt: moment('journal_tokens_at'),
  },
  (table) => [
    index('device_instance_by_device').on(table.deviceId, table.enrolledAt),
    // What people read off a network's own tools, pasted into the search.
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

/** What a device sent beyond its limits since a moment, by kind, until one audit event records it. */
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

/** A right to enroll devices; the token is kept as its hash. */
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
    /** Enrolls only devices on record with one of these ids; empty means any device. */
    onlyRecorded: boolean('only_recorded').notNull().default(false),
    deviceId: uuid('device_id'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    createdBy: text('created_by').notNull(),
    /** Null for the portal itself. */
    createdById: uuid('created_by_id'),
    /** The temporary access by which it was made, and with which it ends. */
    accessGrantId: uuid('access_grant_id'),
    /** When it was refused because its creator could no longer manage what it enrolls. */
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

/** Devices a claim from a CSV may enroll. */
export const claimDevice = pgTable(
  'claim_device',
  {
    claimId: uuid('claim_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    /** When it was refused for this device because its creator could no longer manage it. */
    endedAt: moment('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.claimId, table.deviceId] })],
);

/** A machine without the device's key that asks to become it: one a device, replaced when it is over. */
export const reEnrollmentRequest = pgTable(
  're_enrollment_request',
  {
    deviceId: uuid('device_id').primaryKey(),
    id: uuid().notNull().unique(),
    /** Of the only key for which it counts. */
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

/** A pasted or uploaded list of serial numbers; the URL of a list holds its id. */
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
