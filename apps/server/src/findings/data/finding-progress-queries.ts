import { and, eq, notExists, sql } from 'drizzle-orm';
import { auditEvents } from '../../audit-trail/data/audit-events.ts';
import { sealedEvents } from '../../audit-trail/data/sealed-events.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import type { RhythmEvent } from '../device-rhythm.ts';
import { finding, findingProgress } from './findings-tables.ts';

export type Progress = Omit<typeof findingProgress.$inferSelect, 'id'>;

export async function loadProgress(on: Executor): Promise<Progress | undefined> {
  const [progress] = await on
    .select({
      sealedUpTo: findingProgress.sealedUpTo,
      sweptTo: findingProgress.sweptTo,
      swept: findingProgress.swept,
      sweepEndedAt: findingProgress.sweepEndedAt,
    })
    .from(findingProgress);
  return progress;
}

export async function saveProgress(tx: Transaction, progress: Progress): Promise<void> {
  const { sealedUpTo, sweptTo, swept, sweepEndedAt } = findingProgress;
  await tx
    .insert(findingProgress)
    .values({ id: 1, ...progress })
    .onConflictDoUpdate({
      target: findingProgress.id,
      set: {
        sealedUpTo: excluded(sealedUpTo),
        sweptTo: excluded(sweptTo),
        swept: excluded(swept),
        sweepEndedAt: excluded(sweepEndedAt),
      },
    });
}

export interface TrailEvent extends RhythmEvent {
  readonly sequence: number;
  /**
   * A success on a device without recorded failures: the most frequent event of commands to many devices, and one that
   * changes no finding.
   */
  readonly quiet: boolean;
  readonly deviceId: string | null;
}

/**
 * Reads the next sealed events. The audit trail contains every change that a rule depends on, in an order that late
 * commits do not affect, and reading it costs writers nothing.
 */
export async function readTrail(
  on: Executor,
  after: number,
  limit: number,
): Promise<readonly TrailEvent[]> {
  const sealed = sealedEvents(after, limit);
  const { data, type, at, deviceId } = auditEvents;
  const failing = on
    .select({ rule: finding.rule })
    .from(finding)
    .where(and(eq(finding.rule, 'repeated-failures'), eq(finding.deviceId, deviceId)));
  const rows = await on
    .select({
      sequence: sealed.sequence,
      deviceId,
      type,
      at: sql<string>`coalesce(${data} ->> 'occurredAt', ${at}::text)`,
      quiet: sql<boolean>`${type} = 'command.finished' and ${data} ->> 'state' = 'Success' and ${notExists(failing)}`,
      data: sql<
        Record<string, unknown>
      >`case when ${type} = 'device-event.service-crashed' then ${data} else '{}'::jsonb end`,
    })
    .from(sealed)
    .innerJoin(auditEvents, eq(auditEvents.eventId, sealed.eventId))
    .orderBy(sealed.sequence);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
