import { PgBoss } from 'pg-boss';
import type pg from 'pg';
import { JOBS_SCHEMA } from './jobs-schema.ts';

/** Migrates the schema of the job queue to this release. Servers cannot change it themselves. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  const boss = new PgBoss({
    schema: JOBS_SCHEMA,
    schedule: false,
    supervise: false,
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
  });
  await boss.start();
  await boss.stop({ graceful: false });
}
