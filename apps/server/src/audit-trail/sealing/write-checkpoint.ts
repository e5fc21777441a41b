import { writeFile } from 'node:fs/promises';
import type { AuditCheckpoint } from './read-checkpoint.ts';

/** Writes the newest block and the keys, to be stored on another machine. */
export async function writeCheckpoint(file: string, checkpoint: AuditCheckpoint): Promise<void> {
  await writeFile(file, `${JSON.stringify(checkpoint, null, 2)}\n`, { mode: 0o600 });
}
