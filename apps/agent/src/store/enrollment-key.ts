/**
 * The key with which a machine enrolls, until it has a certificate. An approval is valid only for
 * this key.
 */

import { createPrivateKey } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newPrivateKey } from '../certificate-request.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const pathOf = (stateDirectory: string): string => join(stateDirectory, 'enrolment-key.pem');

/** The same key at every attempt, also after a restart. PEM. */
export async function takeEnrollmentKey(stateDirectory: string): Promise<string> {
  const kept = await readPrivateFile(pathOf(stateDirectory));
  if (kept !== undefined && isKey(kept)) return kept;
  const made = await newPrivateKey();
  await writePrivateFile(pathOf(stateDirectory), made);
  return made;
}

export const removeEnrollmentKey = (stateDirectory: string): Promise<void> =>
  rm(pathOf(stateDirectory), { force: true });

function isKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}
