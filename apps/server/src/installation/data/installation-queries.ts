import { asc, eq, gt, sql } from 'drizzle-orm';
import { portalNow } from '../../platform/columns.ts';
import { holdUntilCommit } from '../../platform/database/advisory-lock.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { installationSecret, installationServer } from './installation-tables.ts';

export type RecordedSecret = typeof installationSecret.$inferSelect;
export type SeenServer = typeof installationServer.$inferSelect;

/** Rotations of one installation happen one after the other, on however many servers. */
export const takeRotationTurn = (tx: Transaction): Promise<void> =>
  holdUntilCommit(tx, 'installation-secrets');

/** False on a database of an earlier release, which has nothing to compare with. */
export async function recordsSecrets(on: Executor): Promise<boolean> {
  const [found] = await on
    .select({ table: sql<string | null>`found` })
    .from(sql`to_regclass('public.installation_secret') as found`);
  return found?.table !== null;
}

export async function readRecordedSecrets(on: Executor): Promise<readonly RecordedSecret[]> {
  return on.select().from(installationSecret).orderBy(asc(installationSecret.name));
}

export async function recordSecret(tx: Transaction, secret: RecordedSecret): Promise<void> {
  await tx
    .insert(installationSecret)
    .values(secret)
    .onConflictDoUpdate({
      target: installationSecret.name,
      set: {
        fingerprint: excluded(installationSecret.fingerprint),
        since: excluded(installationSecret.since),
      },
    });
}

/** A server says that it lives, and which secrets it has. The database tells the time: clocks of servers differ. */
export async function recordServer(
  on: Executor,
  { id, name, secrets }: Pick<SeenServer, 'id' | 'name' | 'secrets'>,
): Promise<void> {
  await on
    .insert(installationServer)
    .values({ id, name, startedAt: portalNow, seenAt: portalNow, secrets })
    .onConflictDoUpdate({
      target: installationServer.id,
      set: {
        seenAt: excluded(installationServer.seenAt),
        secrets: excluded(installationServer.secrets),
      },
    });
}

export async function forgetServer(on: Executor, id: string): Promise<void> {
  await on.delete(installationServer).where(eq(installationServer.id, id));
}

/** The servers that said within this time that they live. */
export async function readServers(
  on: Executor,
  withinSeconds: number,
): Promise<readonly SeenServer[]> {
  return on
    .select()
    .from(installationServer)
    .where(
      gt(installationServer.seenAt, sql`${portalNow} - make_interval(secs => ${withinSeconds})`),
    )
    .orderBy(asc(installationServer.name));
}
