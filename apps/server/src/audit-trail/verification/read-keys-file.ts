import { readFile } from 'node:fs/promises';
import type { AuditKey } from '@deviceportal/audit-proof/audit-block';
import { parseKeysFile } from '@deviceportal/audit-proof/keys-file';
import { StartError } from '../../platform/process/start-error.ts';
import { proofTools } from '../export/proof-tools.ts';

/**
 * Audit keys from a file that is kept outside the database; none where no file is named.
 *
 * @throws StartError when the file has no keys
 */
export async function readKeysFile(file: string | undefined): Promise<AuditKey[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch(() => '');
  const keys = parseKeysFile(text, proofTools.sha256);
  if (keys === null)
    throw new StartError(`${file} is not a file of audit keys. A checkpoint can be used.`);
  return keys;
}
