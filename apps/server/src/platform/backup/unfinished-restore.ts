import { access } from 'node:fs/promises';
import type pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { asideOf } from './restored-files.ts';

const SETTING = 'unfinished-restore';

/** Marks a database as not yet verified, before its first row is restored. */
export async function markUnfinished(client: pg.ClientBase): Promise<void> {
  await client.query(
    `insert into setting (key, value) values ($1, 'true') on conflict (key) do nothing`,
    [SETTING],
  );
}

export async function markFinished(client: pg.ClientBase): Promise<void> {
  await client.query('delete from setting where key = $1', [SETTING]);
}

/** Also false if there is no settings table yet. */
export async function isUnfinished(db: pg.Pool | pg.ClientBase): Promise<boolean> {
  const table = await db.query<{ found: string | null }>(
    "select to_regclass('public.setting')::text as found",
  );
  if (table.rows[0]?.found == null) return false;
  const { rowCount } = await db.query('select from setting where key = $1', [SETTING]);
  return rowCount === 1;
}

/** @throws StartError if a restore was interrupted, because its data is not verified */
export async function requireFinishedRestore(pool: pg.Pool, dataDir: string): Promise<void> {
  const aside = asideOf(dataDir);
  const isAside = await access(aside).then(
    () => true,
    () => false,
  );
  if (!isAside && !(await isUnfinished(pool))) return;
  throw new StartError(
    `A restore was interrupted or is in progress. Run "npm run restore" again${isAside ? `, or remove ${aside} to start without the backup` : ''}.`,
  );
}
