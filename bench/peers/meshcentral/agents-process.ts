/** Simulated agents of MeshCentral: its protocol over WebSocket and TLS, all in this process. */

import { answerRequests } from '../../capacity/helper-process.ts';
import { createIdentities } from './agent-identities.ts';
import { connectAgent } from './simulated-agent.ts';

export interface AgentsOrder {
  readonly url: string;
  /** 48 bytes in Base64, as the next one. */
  readonly group: string;
  /** SHA-384 of the agent that the server would otherwise send as an update. */
  readonly programHash: string;
  readonly count: number;
}

/** As the simulated devices of the other benchmarks. */
const CONNECTING_AT_ONCE = 60;

answerRequests<AgentsOrder>(async ({ url, group, programHash, count }) => {
  const fleet = {
    url,
    group: Buffer.from(group, 'base64'),
    programHash: Buffer.from(programHash, 'base64'),
    coreHash: undefined,
  };
  const identities = await createIdentities(count);
  // The first one receives the core; the others have it, as agents that reconnect.
  const [first, ...others] = identities;
  if (first) await connectAgent(fleet, first);
  const worker = async (): Promise<void> => {
    for (let next = others.pop(); next; next = others.pop()) await connectAgent(fleet, next);
  };
  await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, worker));
  return count;
});
