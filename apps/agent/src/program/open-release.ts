/** Whether a file is an agent that may take the place of this one. */

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
  changed: 'it is not the file that was signed',
};

/**
 * Reads what a release says of itself, by a key that this machine pinned when it was enrolled.
 *
 * @throws Error for what is not signed, or older than this agent unless its signature allows that
 */
export async function openRelease(stateDirectory: string, file: string): Promise<AgentRelease> {
  const identity = await readIdentity(stateDirectory);
  const trusted = identity?.trust.releases.keys ?? [];
  if (trusted.length === 0) {
    throw new Error('no key for updates is known: let the agent connect to the portal once');
  }
  const opened = openAgent(await readFile(file), (keyId) =>
    trusted.some((key) => trustedKeyOf(key).keyId === keyId),
  );
  if (typeof opened === 'string') throw new Error(`the update is refused: ${faultTexts[opened]}`);
  const { release } = opened;
  if (isOlder(release.version, AGENT_VERSION) && !release.allowsDowngrade) {
    throw new Error(
      `the update is refused: ${release.version} is older than ${AGENT_VERSION}, and its signature does not allow that`,
    );
  }
  return release;
}
