/** The agent of this machine, from its state directory: enrolled first where it is not yet. */

import { AGENT_VERSION } from './agent-version.ts';
import { Agent, type AgentOptions } from './core/agent.ts';
import { BackOff } from './core/back-off.ts';
import { enrol, EnrolmentRefused, enrolmentFacts } from './enrol.ts';
import { type Logger, reasonOf } from './logger.ts';
import { RealMachine } from './machine/real-machine.ts';
import { lockState } from './state-lock.ts';
import { readIdentity, writeIdentity, type Identity } from './store/identity-file.ts';
import { openAgentStore } from './store/open-agent-store.ts';

export interface AgentPlace {
  readonly stateDirectory: string;
  readonly serialNumber: string | null;
  readonly log: Logger;
}

export interface EnrolmentOrder {
  readonly serverUrl: string;
  readonly claimToken: string;
}

export interface RunAgentOptions extends AgentPlace {
  /** Used where the machine is not enrolled yet. */
  readonly enrolment: EnrolmentOrder | null;
  /** Where the server and its broker are now, if elsewhere than at the enrolment. */
  readonly addresses?: Partial<Pick<Identity, 'serverUrl' | 'brokerUrl'>>;
  /** A command asked for a fresh start of the agent. */
  readonly onRestartWanted: () => void;
  readonly timing?: Pick<AgentOptions, 'heartbeatMs' | 'backOffBaseMs' | 'backOffCapMs'>;
}

export interface RunningAgent extends AsyncDisposable {
  readonly agent: Agent;
  readonly identity: Identity;
  stop(reason?: 'shutdown' | 'upgrade'): Promise<void>;
}

export class NotEnrolled extends Error {
  constructor(stateDirectory: string) {
    super(`not enrolled in ${stateDirectory}: give --server and --claim`);
    this.name = 'NotEnrolled';
  }
}

/** Enrols this machine anew and keeps the identity; one it had before is replaced. */
export async function enrolMachine(place: AgentPlace, order: EnrolmentOrder): Promise<Identity> {
  const machine = new RealMachine(place);
  // An identity that cannot be read proves nothing: the machine enrols as one without.
  const former = await readIdentity(place.stateDirectory).catch(() => undefined);
  const facts = enrolmentFacts(await machine.inventory());
  const identity = await enrol({ ...order, facts, former });
  await writeIdentity(place.stateDirectory, identity);
  place.log('info', 'enrolled', { deviceId: identity.deviceId, instanceId: identity.instanceId });
  return identity;
}

export async function startAgent(options: RunAgentOptions): Promise<RunningAgent> {
  await using stack = new AsyncDisposableStack();
  stack.use(await lockState(options.stateDirectory));
  const identity = (await readIdentity(options.stateDirectory)) ?? (await enrolPatiently(options));
  const opened = await openAgentStore({ stateDirectory: options.stateDirectory });
  stack.use(opened);
  const agent = new Agent({
    ...options.timing,
    identity,
    saveIdentity: (renewed) => writeIdentity(options.stateDirectory, renewed),
    store: opened.store,
    checkClock: true,
    machine: new RealMachine(options),
    log: options.log,
    onRestartWanted: options.onRestartWanted,
  });
  if (opened.lostLines > 0) agent.event('journal-lost', { lines: opened.lostLines });
  agent.start();
  options.log('info', 'agent started', { version: AGENT_VERSION, deviceId: identity.deviceId });
  const resources = stack.move();
  const stop = async (reason: 'shutdown' | 'upgrade' = 'shutdown'): Promise<void> => {
    await agent.stop(reason);
    await resources.disposeAsync();
  };
  return { agent, identity, stop, [Symbol.asyncDispose]: () => stop() };
}

/** A server that is not up yet is waited for; a refusal is final. */
async function enrolPatiently(options: RunAgentOptions): Promise<Identity> {
  if (!options.enrolment) throw new NotEnrolled(options.stateDirectory);
  const backOff = new BackOff({ baseMs: 500, capMs: 15_000, random: Math.random });
  for (;;) {
    try {
      return await enrolMachine(options, options.enrolment);
    } catch (error) {
      const isFinal = error instanceof EnrolmentRefused && error.status < 500;
      if (isFinal || !isUnreachable(error)) throw error;
      options.log('warn', 'the server does not answer yet', { reason: reasonOf(error) });
      const waitMs = backOff.next();
      await new Promise((resolve) => {
        setTimeout(resolve, waitMs);
      });
    }
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof EnrolmentRefused || error instanceof TypeError;
}
