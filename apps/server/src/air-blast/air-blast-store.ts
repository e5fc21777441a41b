import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { AirBlastOptions, AirBlastStep } from '@deviceportal/contract/air-blast';
import type { Consequence, Scope } from '@deviceportal/contract/permissions';
import type { AirBlastState, AirBlastStepState } from '@deviceportal/contract/states';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import { deviceRecords as device } from '../devices/data/device-records.ts';
import type { Executor, Transaction } from '../platform/database/database.ts';
import { airBlast, airBlastApproval, airBlastStep } from './data/air-blast-tables.ts';

type Row = typeof airBlast.$inferSelect;

/** A run as it is stored. */
export interface AirBlastRecord extends Omit<
  Row,
  'state' | 'step' | 'stepState' | 'pausedFrom' | 'consequence' | 'options'
> {
  readonly state: AirBlastState;
  readonly step: AirBlastStep;
  readonly stepState: AirBlastStepState;
  readonly pausedFrom: AirBlastState | null;
  readonly consequence: Consequence;
  readonly options: AirBlastOptions;
}

export type NewAirBlast = typeof airBlast.$inferInsert;
export type StepRow = typeof airBlastStep.$inferSelect;
export type ApprovalRow = typeof airBlastApproval.$inferSelect;

/**
 * A run exists where all devices that it changes are in scope: what it shows is of the whole set, and what is done to
 * it is done to the whole set. A device without the attribute that a scope asks for is outside.
 */
export function airBlastScopeCondition(scopes: readonly Scope[]): SQL {
  if (scopes.length === 0) return sql`false`;
  if (scopes.some(isEverywhere)) return sql`true`;
  return sql`not exists (select 1 from air_blast_target t join ${device} on ${device.deviceId} = t.device_id
    where t.air_blast_id = air_blast.id and t.revision = air_blast.revision and t.exclusion is null
      and (${deviceScopeCondition(scopes, device)}) is not true)`;
}

/** False when this person has planned with this key before. */
export async function insertAirBlast(tx: Transaction, row: NewAirBlast): Promise<boolean> {
  const made = await tx
    .insert(airBlast)
    .values(row)
    .onConflictDoNothing({ target: [airBlast.createdById, airBlast.idempotencyKey] })
    .returning({ id: airBlast.id });
  return made.length === 1;
}

export async function findIdByKey(
  executor: Executor,
  createdById: string,
  idempotencyKey: string,
): Promise<string | undefined> {
  const rows = await executor
    .select({ id: airBlast.id })
    .from(airBlast)
    .where(and(eq(airBlast.createdById, createdById), eq(airBlast.idempotencyKey, idempotencyKey)));
  return rows[0]?.id;
}

export async function selectAirBlasts(
  executor: Executor,
  page: { readonly where: SQL; readonly limit: number },
): Promise<(AirBlastRecord & { readonly createdAtText: string })[]> {
  const rows = await executor
    .select({ row: airBlast, createdAtText: sql<string>`${airBlast.createdAt}::text` })
    .from(airBlast)
    .where(page.where)
    .orderBy(sql`${airBlast.createdAt} desc, ${airBlast.id} desc`)
    .limit(page.limit);
  return rows.map(({ row, createdAtText }) => ({
    ...(row as unknown as AirBlastRecord),
    createdAtText,
  }));
}

/** @param scopes what the caller may see; `all` for the server itself */
export async function findAirBlast(
  executor: Executor,
  id: string,
  scopes: readonly Scope[] | 'all',
): Promise<AirBlastRecord | undefined> {
  const where = and(
    eq(airBlast.id, id),
    scopes === 'all' ? undefined : airBlastScopeCondition(scopes),
  );
  const rows = await executor.select().from(airBlast).where(where);
  return rows[0] as unknown as AirBlastRecord | undefined;
}

/** The same, and nobody else changes it until this transaction ends. */
export async function lockAirBlast(
  tx: Transaction,
  id: string,
  scopes: readonly Scope[] | 'all',
): Promise<AirBlastRecord | undefined> {
  const where = and(
    eq(airBlast.id, id),
    scopes === 'all' ? undefined : airBlastScopeCondition(scopes),
  );
  const rows = await tx.select().from(airBlast).where(where).for('update');
  return rows[0] as unknown as AirBlastRecord | undefined;
}

export async function updateAirBlast(
  tx: Transaction,
  id: string,
  patch: Partial<NewAirBlast>,
): Promise<void> {
  await tx.update(airBlast).set(patch).where(eq(airBlast.id, id));
}

/** Runs on which something is under way, or was when they were aborted. */
export async function selectIdsUnderWay(executor: Executor): Promise<string[]> {
  const { rows } = await executor.execute(sql`
    select id from air_blast where step_state = 'running' and state <> 'failed'
    union
    select w.air_blast_id from air_blast_wave w join air_blast a on a.id = w.air_blast_id
    where a.state = 'aborted' and w.opened_at is not null and w.ended_at is null
    order by id`);
  return (rows as unknown as { id: string }[]).map(({ id }) => id);
}

export async function insertStep(
  tx: Transaction,
  row: typeof airBlastStep.$inferInsert,
): Promise<void> {
  await tx.insert(airBlastStep).values(row);
}

type Doing = Pick<AirBlastRecord, 'id' | 'revision' | 'step' | 'attempt'>;

export async function endStep(
  tx: Transaction,
  { id, revision, step, attempt }: Doing,
  patch: {
    readonly state: AirBlastStepState;
    readonly endedAt: Date;
    readonly evidence: Record<string, unknown>;
  },
): Promise<void> {
  await tx
    .update(airBlastStep)
    .set(patch)
    .where(
      and(
        eq(airBlastStep.airBlastId, id),
        eq(airBlastStep.revision, revision),
        eq(airBlastStep.step, step),
        eq(airBlastStep.attempt, attempt),
      ),
    );
}

/** Every doing of every step of the present plan, in order. */
export async function selectSteps(
  executor: Executor,
  { id, revision }: Pick<AirBlastRecord, 'id' | 'revision'>,
): Promise<StepRow[]> {
  return executor
    .select()
    .from(airBlastStep)
    .where(and(eq(airBlastStep.airBlastId, id), eq(airBlastStep.revision, revision)))
    .orderBy(airBlastStep.startedAt, airBlastStep.attempt);
}

/** Everybody who planned or operated any plan of a run. */
export async function selectPeopleOf(executor: Executor, id: string): Promise<string[]> {
  const rows = await executor
    .selectDistinct({ operatorId: airBlastStep.operatorId })
    .from(airBlastStep)
    .where(eq(airBlastStep.airBlastId, id));
  return rows.map(({ operatorId }) => operatorId);
}

/** How often this step of the present plan was begun. */
export async function lastAttempt(
  executor: Executor,
  run: Pick<AirBlastRecord, 'id' | 'revision'>,
  step: AirBlastStep,
): Promise<number> {
  const steps = await selectSteps(executor, run);
  return Math.max(0, ...steps.filter((one) => one.step === step).map(({ attempt }) => attempt));
}

/** Adds to what is known of a step that has ended. */
export async function noteOnStep(
  tx: Transaction,
  { id, revision, step, attempt }: Doing,
  evidence: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.execute(sql`
    update air_blast_step set evidence = evidence || ${JSON.stringify(evidence)}::jsonb
    where air_blast_id = ${id} and revision = ${revision} and step = ${step} and attempt = ${attempt}`);
}

export async function insertApproval(
  tx: Transaction,
  row: typeof airBlastApproval.$inferInsert,
): Promise<void> {
  await tx.insert(airBlastApproval).values(row);
}

export async function selectApprovals(executor: Executor, id: string): Promise<ApprovalRow[]> {
  return executor
    .select()
    .from(airBlastApproval)
    .where(eq(airBlastApproval.airBlastId, id))
    .orderBy(airBlastApproval.at);
}
