import { sql, type SQL } from 'drizzle-orm';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import type { ElevationBond } from '@deviceportal/contract/elevations';
import { PortalError } from '@deviceportal/contract/errors';
import type { Grant, Permission } from '@deviceportal/contract/permissions';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import type { TemporaryGrant, Viewer } from '../../platform/viewer.ts';

/** Whether grants allow an act. */
export type IsEnough = (grants: readonly Grant[]) => boolean;

/**
 * The temporary access without which somebody could not do what they do now; null where their lasting roles allow it.
 * What is made by it ends with it. Its row stays locked until the transaction ends, so that it cannot end between the
 * look and the write.
 * @throws PortalError 1000 where it has ended meanwhile
 */
export async function findElevationBehind(
  tx: Transaction,
  viewer: Viewer,
  isEnough: IsEnough,
): Promise<ElevationBond | null> {
  const { lasting, temporary = [] } = viewer;
  if (lasting === undefined || temporary.length === 0 || isEnough(lasting)) return null;
  const { elevationId } = chooseOne(lasting, temporary, isEnough);
  const found = await selectRunning(tx, elevationId);
  if (found === undefined) throw refused('Your temporary access has ended.', 'ended');
  return { elevationId, role: found.role, endsAt: isoOf(found.endsAt) };
}

/**
 * Refuses what would outlast temporary access and cannot end with it.
 * @throws PortalError 1000 where lasting roles do not allow it
 */
export function requireLasting({ lasting }: Viewer, isEnough: IsEnough): void {
  if (lasting === undefined || isEnough(lasting)) return;
  throw refused(
    'This stays after your temporary access has ended. Ask someone who holds the role permanently to do it.',
    'temporary',
  );
}

/** Whether grants allow one of the permissions wherever a viewer holds it. */
export const wherever =
  (viewer: Viewer, permissions: readonly Permission[]): IsEnough =>
  (grants) =>
    viewer.grants
      .filter((held) => permissions.some((each) => held.permissions.includes(each)))
      .every(({ scope }) =>
        permissions.some(
          (each) => permissionsBeyond(grants, { permissions: [each], scope }).length === 0,
        ),
      );

/**
 * Whether temporary access still runs; it stays locked until the transaction ends, and so cannot end before that.
 */
export async function lockRunningElevation(tx: Transaction, id: string): Promise<boolean> {
  return (await selectRunning(tx, id)) !== undefined;
}

export async function isElevationRunning(executor: Executor, id: string): Promise<boolean> {
  const { rows } = await executor.execute(
    sql`select from elevation e where e.id::text = ${id} and ${running}`,
  );
  return rows.length > 0;
}

/** A moment, or the end of the temporary access if that is sooner. */
export function earlier(moment: Date, bond: Pick<ElevationBond, 'endsAt'> | null): Date {
  const isSooner = bond !== null && Date.parse(bond.endsAt) < moment.getTime();
  return isSooner ? new Date(bond.endsAt) : moment;
}

/** Whether what was made by temporary access is still in force; the column is null where lasting roles allowed it. */
export const elevationRuns = (column: SQL): SQL =>
  sql`(${column} is null or exists (select from elevation e where e.id = ${column} and ${running}))`;

/** The bond of a row, as `ElevationBond`; the column is null where lasting roles allowed it. */
export const bondOf = (column: SQL): SQL => sql`(
  select jsonb_build_object('elevationId', e.id, 'role', e.role_name,
    'endsAt', to_char(e.ends_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from elevation e where e.id = ${column})`;

const running = sql`e.state = 'running' and e.ends_at > portal_now(clock_timestamp())`;

async function selectRunning(
  tx: Transaction,
  id: string,
): Promise<{ readonly role: string; readonly endsAt: string } | undefined> {
  const { rows } = await tx.execute<{ role: string; endsAt: string }>(sql`
    select e.role_name as role, e.ends_at as "endsAt" from elevation e
    where e.id = ${id} and ${running} for share of e`);
  return rows[0];
}

/** The one that lasts longest of those that are enough by themselves, else of all of them the one that ends first. */
function chooseOne(
  lasting: readonly Grant[],
  temporary: readonly TemporaryGrant[],
  isEnough: IsEnough,
): TemporaryGrant {
  const byEnd = temporary.toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until));
  const chosen = byEnd.findLast((one) => isEnough([...lasting, one])) ?? byEnd[0];
  if (chosen === undefined) throw new Error('there is no temporary access');
  return chosen;
}

function refused(message: string, reason: 'ended' | 'temporary'): PortalError {
  return new PortalError('noPermission', { message, facts: { reason } });
}
