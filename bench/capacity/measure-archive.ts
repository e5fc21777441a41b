import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { parquetFrom } from '../../apps/server/src/audit-trail/archive/archive-audit-months.ts';
import { openAnalytics } from '../../apps/server/src/audit-trail/archive/open-analytics.ts';
import { copyMonth } from '../../apps/server/src/audit-trail/data/archive/month-queries.ts';
import type { Installation } from './start-installation.ts';

/** Bytes of an event in the file of its month: the events so far, written as a month is archived. */
export async function measureArchive({
  dataDir,
  database: { pool },
}: Pick<Installation, 'dataDir' | 'database'>): Promise<number> {
  const { rows } = await pool.query<{ table: string; month: string }>(
    `select tableoid::regclass::text as table, to_char(now() at time zone 'utc', 'YYYY-MM') as month
     from audit_event order by id desc limit 1`,
  );
  const [month] = rows;
  if (!month) throw new Error('no events to archive');
  const [csv, parquet] = [join(dataDir, 'events.csv'), join(dataDir, 'events.parquet')];
  const client = await pool.connect();
  const { rowCount } = await client.query(`select from ${month.table}`);
  await pipeline(client.query(copyTo(copyMonth(month))), createWriteStream(csv));
  client.release();
  await using analytics = openAnalytics();
  await analytics.query(parquetFrom(csv, parquet));
  return (await stat(parquet)).size / Math.max(1, rowCount ?? 0);
}
