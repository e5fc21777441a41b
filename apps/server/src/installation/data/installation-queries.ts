import { asc, eq, gt, sql } from 'drizzle-orm';
import { portalNow } from '../../platform/columns.ts';
import { holdUntilCommit } from '../../platform/database/advisory-lock.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { installationSecret, installationServer } from './installation-tables.ts';

export type RecordedSecret = typeof installationSecret.$inferSelect;
export type SeenServer = typeof installationServer.$inferSelect;

/** Serializes rotations of one installation across all servers. */
export const lockRotations = (tx: Transaction): Promise<void> =>
  holdUntilCommit(tx, 'installation-secrets');

/** False on a database of an earlier release, which records no secrets. */
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

/** Records that a server runs, and its secrets. Uses the time of the database, because clocks of servers differ. */
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

/** After a restore, when no server uses the database. */
export async function deleteServers(on: Executor): Promise<void> {
  await on.delete(installationServer);
}

/** The servers whose entries are at most this old. */
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
