import { desc, eq, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Executor } from '../../platform/database/database.ts';
import { deviceNote } from './devices-tables.ts';

export type StoredNote = typeof deviceNote.$inferSelect;

const LISTED_NOTES = 200;

/** Newest first. */
export async function selectNotes(on: Executor, deviceId: string): Promise<StoredNote[]> {
  return on
    .select()
    .from(deviceNote)
    .where(eq(deviceNote.deviceId, deviceId))
    .orderBy(desc(deviceNote.createdAt), desc(deviceNote.id))
    .limit(LISTED_NOTES);
}

/** Notes of a device, for growth limits. */
export const notesOf = (deviceId: string): SQL =>
  new QueryBuilder()
    .select({ id: deviceNote.id })
    .from(deviceNote)
    .where(eq(deviceNote.deviceId, deviceId))
    .getSQL();

export async function insertNote(tx: Executor, note: StoredNote): Promise<void> {
  await tx.insert(deviceNote).values(note);
}

export async function findNote(on: Executor, id: string): Promise<StoredNote | undefined> {
  const [found] = await on.select().from(deviceNote).where(eq(deviceNote.id, id));
  return found;
}

/** False if it has already been deleted. */
export async function deleteNote(tx: Executor, id: string): Promise<boolean> {
  const { rowCount } = await tx.delete(deviceNote).where(eq(deviceNote.id, id));
  return rowCount === 1;
}
