import { sql } from 'drizzle-orm';
import type { SecretName } from '@deviceportal/contract/installation';
import type { Executor, Transaction } from '../platform/database/database.ts';
import type { SecretFingerprints } from './secret-fingerprints.ts';

export interface RecordedSecret {
  readonly name: SecretName;
  readonly fingerprint: string;
  readonly since: Date;
}

export interface SeenServer {
  readonly id: string;
  readonly name: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly secrets: readonly SecretFingerprints[];
}

/** Rotations of one installation happen one after the other, on however many servers. */
export async function takeRotationTurn(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('installation-secrets'))`);
}

export async function readRecordedSecrets(executor: Executor): Promise<readonly RecordedSecret[]> {
  const { rows } = await executor.execute(
    sql`select name, fingerprint, since from installation_secret order by name`,
  );
  return (rows as unknown as (Omit<RecordedSecret, 'since'> & { since: string })[]).map((row) => ({
    ...row,
    since: new Date(row.since),
  }));
}

export async function recordSecret(tx: Transaction, secret: RecordedSecret): Promise<void> {
  await tx.execute(sql`
    insert into installation_secret (name, fingerprint, since)
    values (${secret.name}, ${secret.fingerprint}, ${secret.since.toISOString()}::timestamptz)
    on conflict (name) do update set fingerprint = excluded.fingerprint, since = excluded.since`);
}

/** A server says that it lives, and which secrets it has. The database tells the time: clocks of servers differ. */
export async function recordServer(
  executor: Executor,
  { id, name, secrets }: Pick<SeenServer, 'id' | 'name' | 'secrets'>,
): Promise<void> {
  await executor.execute(sql`
    insert into installation_server (id, name, started_at, seen_at, secrets)
    values (${id}, ${name}, portal_now(), portal_now(), ${JSON.stringify(secrets)}::jsonb)
    on conflict (id) do update set seen_at = excluded.seen_at, secrets = excluded.secrets`);
}

export async function forgetServer(executor: Executor, id: string): Promise<void> {
  await executor.execute(sql`delete from installation_server where id = ${id}`);
}

/** The servers that said within this time that they live. */
export async function readServers(
  executor: Executor,
  withinSeconds: number,
): Promise<readonly SeenServer[]> {
  const { rows } = await executor.execute(sql`
    select id, name, started_at as "startedAt", seen_at as "seenAt", secrets from installation_server
    where seen_at > portal_now() - make_interval(secs => ${withinSeconds}) order by name`);
  type Row = Omit<SeenServer, 'startedAt' | 'seenAt'> & { startedAt: string; seenAt: string };
  return (rows as unknown as Row[]).map((row) => ({
    ...row,
    startedAt: new Date(row.startedAt),
    seenAt: new Date(row.seenAt),
  }));
}
