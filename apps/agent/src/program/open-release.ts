/** Checks whether a file is an agent that can replace this one. */

import { readFile } from 'node:fs/promises';
import { trustedKeyOf } from '@deviceportal/command-signing/key-trust';
import {
  openAgent,
  type AgentFault,
  type AgentRelease,
} from '@deviceportal/command-signing/signed-agent';
import { AGENT_VERSION } from '../agent-version.ts';
import { readIdentity } from '../store/identity-file.ts';
import { isOlder } from './is-older.ts';

const faultTexts: Readonly<Record<AgentFault, string>> = {
  unsigned: 'it is not signed',
  'unknown-key': 'it is signed with a key that this device does not trust',
  'wrong-signature': 'its signature is not valid',
  changed: 'it does not match its signature',
};

/**
 * Reads the signed statement of a release, verified with a key that this machine pinned at
 * enrollment.
 *
 * @throws Error if it is not signed, or is older than this agent and its signature does not allow a
 * downgrade
 */
export async function openRelease(stateDirectory: string, file: string): Promise<AgentRelease> {
  const identity = await readIdentity(stateDirectory);
  const trusted = identity?.trust.releases.keys ?? [];
  if (trusted.length === 0) {
    throw new Error('no update key is known: connect the agent to the portal once');
  }
  const opened = openAgent(await readFile(file), (keyId) =>
    trusted.some((key) => trustedKeyOf(key).keyId === keyId),
  );
  if (typeof opened === 'string') throw new Error(`the update was rejected: ${faultTexts[opened]}`);
  const { release } = opened;
  if (isOlder(release.version, AGENT_VERSION) && !release.allowsDowngrade) {
    throw new Error(
      `the update was rejected: ${release.version} is older than ${AGENT_VERSION}, and its signature does not allow that`,
    );
  }
  return release;
}
