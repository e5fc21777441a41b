import { eq } from 'drizzle-orm';
import type { Executor } from './database/database.ts';
import { setting } from './platform-tables.ts';

/** What the portal has noted for itself under a key; undefined where it has not. */
export async function readSetting(on: Executor, key: string): Promise<unknown> {
  const [found] = await on
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, key));
  return found?.value;
}

export async function keepSetting(on: Executor, key: string, value: unknown): Promise<void> {
  await on
    .insert(setting)
    .values({ key, value })
    .onConflictDoUpdate({ target: setting.key, set: { value } });
}
