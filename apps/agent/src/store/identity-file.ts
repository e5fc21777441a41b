/** The device's identity on disk, readable by its owner only: the key never leaves this file. */

import { join } from 'node:path';
import { z } from 'zod';
import { noTrust, type Trust } from '@deviceportal/command-signing/key-trust';
import type { KeyRingMessage } from '@deviceportal/device-protocol/messages';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const trustSchema = z.object({
  keys: z.array(z.object({ publicKey: z.string(), by: z.string().nullable() })),
  sequence: z.int().nonnegative(),
  withdrawn: z.array(z.string()),
});

const identitySchemaOfFile = z.object({
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
  /** What an identity of an earlier release has instead of `trust.runs`. */
  runKeys: z.array(z.string()).optional(),
  /** The keys whose signatures on commands and on updates count; none before the server has told one. */
  trust: z.object({ runs: trustSchema, releases: trustSchema }).optional(),
});

export type Identity = Omit<z.infer<typeof identitySchemaOfFile>, 'runKeys' | 'trust'> & {
  readonly trust: DeviceTrust;
};
export type DeviceTrust = Readonly<Record<KeyRingMessage['ring'], Trust>>;

/** Reads what any release has written. */
export const identitySchema = identitySchemaOfFile.transform(
  ({ runKeys = [], trust, ...identity }): Identity => ({
    ...identity,
    trust: trust ?? {
      runs: { ...noTrust, keys: runKeys.map((publicKey) => ({ publicKey, by: null })) },
      releases: noTrust,
    },
  }),
);

const pathOf = (stateDirectory: string): string => join(stateDirectory, 'identity.json');

/** The stored identity, or undefined where the machine has not been enrolled. */
export async function readIdentity(stateDirectory: string): Promise<Identity | undefined> {
  const text = await readPrivateFile(pathOf(stateDirectory));
  return text === undefined ? undefined : identitySchema.parse(JSON.parse(text));
}

export const writeIdentity = (stateDirectory: string, identity: Identity): Promise<void> =>
  writePrivateFile(pathOf(stateDirectory), JSON.stringify(identity, undefined, 2));
