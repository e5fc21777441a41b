/** The device's identity on disk, readable only by its owner. The key never leaves this file. */

import { join } from 'node:path';
import { z } from 'zod';
import { noTrust, type Trust } from '@deviceportal/command-signing/key-trust';
import {
  connectionMessageSchema,
  type KeyRingMessage,
} from '@deviceportal/device-protocol/messages';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const trustSchema = z.object({
  keys: z.array(z.object({ publicKey: z.string(), by: z.string().nullable() })),
  sequence: z.int().nonnegative(),
  withdrawn: z.array(z.string()),
});

const identitySchemaOfFile = z.object({
  deviceId: z.uuid(),
  instanceId: z.string(),
  /** The broker of the enrollment, or the last one that worked. */
  brokerUrl: z.string(),
  /** Absent from servers of earlier releases. */
  connection: connectionMessageSchema.optional(),
  /** Server for files of commands and packages. */
  serverUrl: z.string(),
  /** PEM. */
  certificate: z.string(),
  privateKey: z.string(),
  authorities: z.string(),
  /** The key of a certificate request without a response yet. */
  pendingPrivateKey: z.string().nullable(),
  /** Replaced by `trust.runs`; in identities of earlier releases. */
  runKeys: z.array(z.string()).optional(),
  /** Trusted keys for commands and updates; absent before the server announced any. */
  trust: z.object({ runs: trustSchema, releases: trustSchema }).optional(),
});

export type Identity = Omit<z.infer<typeof identitySchemaOfFile>, 'runKeys' | 'trust'> & {
  readonly trust: DeviceTrust;
};
export type DeviceTrust = Readonly<Record<KeyRingMessage['ring'], Trust>>;

/** Reads identities of all releases. */
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

/** The stored identity; undefined if the machine is not enrolled. */
export async function readIdentity(stateDirectory: string): Promise<Identity | undefined> {
  const text = await readPrivateFile(pathOf(stateDirectory));
  return text === undefined ? undefined : identitySchema.parse(JSON.parse(text));
}

export const writeIdentity = (stateDirectory: string, identity: Identity): Promise<void> =>
  writePrivateFile(pathOf(stateDirectory), JSON.stringify(identity, undefined, 2));
