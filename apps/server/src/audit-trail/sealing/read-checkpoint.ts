import { readFile } from 'node:fs/promises';
import { auditBlockSchema, auditKeySchema } from '@deviceportal/audit-proof/proof-lines';
import { z } from 'zod';
import { StartError } from '../../platform/process/start-error.ts';

/** A file from an earlier verification that is stored outside the installation. */
const checkpointSchema = z.object({
  block: auditBlockSchema,
  keys: z.array(auditKeySchema).default([]),
});

export type AuditCheckpoint = z.infer<typeof checkpointSchema>;

/** @throws StartError if the file is not a checkpoint */
export async function readCheckpoint(file: string): Promise<AuditCheckpoint> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    return checkpointSchema.parse(JSON.parse(text));
  } catch {
    throw new StartError(`${file} is not a checkpoint of the audit trail.`);
  }
}
