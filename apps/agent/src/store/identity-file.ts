/** The device's identity on disk, readable by its owner only: the key never leaves this file. */

import { chmod, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export const identitySchema = z.object({
  deviceId: z.uuid(),
  instanceId: z.string(),
  brokerUrl: z.string(),
  /** Where files of commands and packages are exchanged. */
  serverUrl: z.string(),
  /** PEM. */
  certificate: z.string(),
  privateKey: z.string(),
  authorities: z.string(),
  /** The key of a certificate request that has not been answered yet. */
  pendingPrivateKey: z.string().nullable(),
  /** The keys whose signatures on commands count (SPKI in DER, base64); none before the server has told one. */
  runKeys: z.array(z.string()).default([]),
});

export type Identity = z.infer<typeof identitySchema>;

const pathOf = (stateDirectory: string): string => join(stateDirectory, 'identity.json');

/** The stored identity, or undefined where the machine has not been enrolled. */
export async function readIdentity(stateDirectory: string): Promise<Identity | undefined> {
  let text: string;
  try {
    text = await readFile(pathOf(stateDirectory), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return identitySchema.parse(JSON.parse(text));
}

export async function writeIdentity(stateDirectory: string, identity: Identity): Promise<void> {
  const temporary = `${pathOf(stateDirectory)}.new`;
  const file = await open(temporary, 'w', 0o600);
  await file.writeFile(JSON.stringify(identity, undefined, 2));
  await file.sync();
  await file.close();
  await chmod(temporary, 0o600);
  await rename(temporary, pathOf(stateDirectory));
}
