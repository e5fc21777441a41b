import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { rowsFor } from '../../../platform/database/rows-for.ts';
import { arrayOf } from '../../../platform/database/rows-of.ts';
import { device, deviceInstance } from '../devices-tables.ts';

type Instance = typeof deviceInstance.$inferSelect;

const { id, deviceId, state, certificateFingerprint, certificateStartsAt } = deviceInstance;
const isOfDevice = eq(device.id, deviceId);
/** The current instance of an active or pending device. */
const isServed = and(eq(state, 'current'), inArray(device.lifecycle, ['active', 'pending']));

/** Devices of these instances, if they are served. */
export async function findServedDevices(
  tx: Transaction,
  instanceIds: readonly string[],
): Promise<Map<string, string>> {
  if (instanceIds.length === 0) return new Map();
  const rows = await tx
    .select({ id, deviceId })
    .from(deviceInstance)
    .innerJoin(device, isOfDevice)
    .where(and(sql`${id} = any(${arrayOf('text', instanceIds)})`, isServed));
  return new Map(rows.map((row) => [row.id, row.deviceId]));
}

export type AdmissibleInstance = Awaited<ReturnType<typeof findCurrentInstances>>[number];

/** Current instances of devices, with the data that determines whether they can connect. */
export async function findCurrentInstances(on: Executor, deviceIds: readonly string[]) {
  return on
    .select({
      deviceId,
      instanceId: id,
      fingerprint: certificateFingerprint,
      startsAt: certificateStartsAt,
      lifecycle: device.lifecycle,
    })
    .from(deviceInstance)
    .innerJoin(device, isOfDevice)
    .where(and(eq(state, sql`'current'`), isAnyOf(deviceId, deviceIds)));
}

export type UsedCertificate = Pick<
  Instance,
  'id' | 'certificateFingerprint' | 'certificateStartsAt' | 'certificateEndsAt'
>;

/** Activates renewed certificates that are used for the first time. Earlier ones are no longer valid. */
export async function replaceCertificates(
  on: Executor,
  used: readonly UsedCertificate[],
): Promise<void> {
  const given = alias(deviceInstance, 'given');
  const keys = [
    ...(['id', 'certificateFingerprint', 'certificateStartsAt', 'certificateEndsAt'] as const),
  ] as const;
  await on
    .update(deviceInstance)
    .set({
      certificateFingerprint: sql`${given.certificateFingerprint}`,
      certificateStartsAt: sql`${given.certificateStartsAt}`,
      certificateEndsAt: sql`${given.certificateEndsAt}`,
    })
    .from(rowsFor(given, keys, used))
    .where(
      and(
        eq(id, given.id),
        or(isNull(certificateStartsAt), lt(certificateStartsAt, given.certificateStartsAt)),
      ),
    );
}

/** The served instance that requests a new certificate, locked until the transaction ends. */
export async function lockForRenewal(
  tx: Transaction,
  wanted: { readonly instanceId: string; readonly deviceId: string },
) {
  const last = sql`coalesce(${deviceInstance.lastCertificateStartsAt}, ${certificateStartsAt})`;
  const [found] = await tx
    .select({
      name: device.name,
      /** Start of the last certificate that was issued; null if unknown. */
      after: sql<Date | null>`${last}`.mapWith(certificateStartsAt),
    })
    .from(deviceInstance)
    .innerJoin(device, isOfDevice)
    .where(and(eq(id, wanted.instanceId), eq(deviceId, wanted.deviceId), isServed))
    .for('update', { of: deviceInstance });
  return found;
}

export async function setLastCertificate(
  tx: Transaction,
  instanceId: string,
  startsAt: Date,
): Promise<void> {
  await tx
    .update(deviceInstance)
    .set({ lastCertificateStartsAt: startsAt })
    .where(eq(id, instanceId));
}

/**
 * Stores what agents stated: their protocol, the IDs of the keys that they trust, and what they offer: terminals,
 * files, and web pages, and whether they can ask for consent. Locks in the order of IDs, like journals.
 */
export async function writeAgents(
  tx: Transaction,
  rows: readonly Pick<
    Instance,
    | 'id'
    | 'protocol'
    | 'runKeyIds'
    | 'releaseKeyIds'
    | 'terminalOffer'
    | 'terminalConsent'
    | 'filesOffer'
    | 'webPages'
  >[],
): Promise<void> {
  const { protocol, runKeyIds, releaseKeyIds } = deviceInstance;
  const { terminalOffer, terminalConsent, filesOffer, webPages } = deviceInstance;
  const given = alias(deviceInstance, 'given');
  const stated = [
    ...(['id', 'protocol', 'runKeyIds', 'releaseKeyIds'] as const),
    ...(['terminalOffer', 'terminalConsent', 'filesOffer', 'webPages'] as const),
  ] as const;
  const held = tx.$with('held').as(
    tx
      .select({
        id: sql<string>`${id}`.as('held_id'),
        protocol: sql`${given.protocol}`.as('held_protocol'),
        runKeyIds: sql`${given.runKeyIds}`.as('held_runs'),
        releaseKeyIds: sql`${given.releaseKeyIds}`.as('held_releases'),
        terminalOffer: sql`${given.terminalOffer}`.as('held_terminal'),
        terminalConsent: sql`${given.terminalConsent}`.as('held_consent'),
        filesOffer: sql`${given.filesOffer}`.as('held_files'),
        webPages: sql`${given.webPages}`.as('held_pages'),
      })
      .from(rowsFor(given, stated, rows))
      .innerJoin(deviceInstance, eq(id, given.id))
      .where(
        sql`(${protocol}, ${runKeyIds}, ${releaseKeyIds}, ${terminalOffer}, ${terminalConsent}, ${filesOffer},
          ${webPages})
          is distinct from (${given.protocol}, ${given.runKeyIds}, ${given.releaseKeyIds}, ${given.terminalOffer},
            ${given.terminalConsent}, ${given.filesOffer}, ${given.webPages})`,
      )
      .orderBy(asc(id))
      .for('update', { of: deviceInstance }),
  );
  await tx
    .with(held)
    .update(deviceInstance)
    .set({
      protocol: sql`${held.protocol}`,
      runKeyIds: sql`${held.runKeyIds}`,
      releaseKeyIds: sql`${held.releaseKeyIds}`,
      terminalOffer: sql`${held.terminalOffer}`,
      terminalConsent: sql`${held.terminalConsent}`,
      filesOffer: sql`${held.filesOffer}`,
      webPages: sql`${held.webPages}`,
    })
    .from(held)
    .where(eq(id, held.id));
}

export type JournalInstance = Awaited<ReturnType<typeof lockJournals>>[number];

/** Current instances of served devices, locked in the order of IDs so that batches cannot deadlock. */
export async function lockJournals(tx: Transaction, instanceIds: readonly string[]) {
  return tx
    .select({
      id,
      deviceId,
      name: device.name,
      epoch: deviceInstance.journalEpoch,
      upTo: deviceInstance.journalUpTo,
      enrolledAt: deviceInstance.enrolledAt,
      tokens: deviceInstance.journalTokens,
      tokensAt: deviceInstance.journalTokensAt,
    })
    .from(deviceInstance)
    .innerJoin(device, isOfDevice)
    .where(and(isAnyOf(id, instanceIds), isServed))
    .orderBy(asc(id))
    .for('update', { of: deviceInstance });
}

export type JournalCursorRow = Pick<
  Instance,
  'id' | 'journalEpoch' | 'journalUpTo' | 'journalTokens'
>;

/** Stores committed journal positions and remaining quotas. */
export async function writeJournalCursors(
  tx: Transaction,
  rows: readonly JournalCursorRow[],
  at: Date,
): Promise<void> {
  const given = alias(deviceInstance, 'given');
  await tx
    .update(deviceInstance)
    .set({
      journalEpoch: sql`${given.journalEpoch}`,
      journalUpTo: sql`${given.journalUpTo}`,
      journalTokens: sql`${given.journalTokens}`,
      journalTokensAt: at,
      lastPingAt: at,
    })
    .from(rowsFor(given, ['id', 'journalEpoch', 'journalUpTo', 'journalTokens'], rows))
    .where(eq(id, given.id));
}
