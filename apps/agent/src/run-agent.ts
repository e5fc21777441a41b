/** The agent of this machine, from its state directory: enrolled first where it is not yet. */

import { AGENT_VERSION } from './agent-version.ts';
import { Agent, type AgentOptions } from './core/agent.ts';
import { enrol, enrolmentFacts } from './enrol.ts';
import { isUndecided, isUnreachable, untilEnrolled } from './until-enrolled.ts';
import { type Logger, reasonOf } from './logger.ts';
import { RealMachine } from './machine/real-machine.ts';
import { programRoot } from './machine/package-directory.ts';
import { endTrial, takeReturned } from './program/trial.ts';
import { lockState } from './state-lock.ts';
import { removeEnrolmentKey, takeEnrolmentKey } from './store/enrolment-key.ts';
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
  /** Id of a key for updates that the server must announce: where it was told by another way. */
  readonly releaseKey?: string | null;
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
  const privateKey = await takeEnrolmentKey(place.stateDirectory);
  const identity = await enrol({ ...order, facts, former, privateKey });
  await writeIdentity(place.stateDirectory, identity);
  await removeEnrolmentKey(place.stateDirectory);
  place.log('info', 'enrolled', { deviceId: identity.deviceId, instanceId: identity.instanceId });
  return identity;
}

/** As `enrolMachine`, but waits for a person where one must approve it. */
export const enrolWhenApproved = (place: AgentPlace, order: EnrolmentOrder): Promise<Identity> =>
  untilEnrolled(() => enrolMachine(place, order), {
    ...order,
    log: place.log,
    mayPass: isUndecided,
  });

export async function startAgent(options: RunAgentOptions): Promise<RunningAgent> {
  await using stack = new AsyncDisposableStack();
  stack.use(await lockState(options.stateDirectory));
  const identity =
    (await readIdentity(options.stateDirectory)) ?? (await enrolWhenPossible(options));
  const opened = await openAgentStore({ stateDirectory: options.stateDirectory });
  stack.use(opened);
  const program = programRoot(options.stateDirectory);
  const logFault = (error: unknown): void =>
    options.log('error', 'the trial of this version was not ended', { reason: reasonOf(error) });
  const agent: Agent = new Agent({
    ...options.timing,
    identity,
    saveIdentity: (renewed) => writeIdentity(options.stateDirectory, renewed),
    store: opened.store,
    checkClock: true,
    machine: new RealMachine(options),
    log: options.log,
    onRestartWanted: options.onRestartWanted,
    onReached: () => void tellUpdated(agent, program).catch(logFault),
  });
  await tellReturned(agent, program);
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

/** The trial of this version ends with the first connection. */
async function tellUpdated(agent: Agent, program: string): Promise<void> {
  const trial = await endTrial(program);
  if (trial !== null) agent.event('agent-updated', { from: trial.from, to: trial.to });
}

/** A version that did not come up was left for this one. */
async function tellReturned(agent: Agent, program: string): Promise<void> {
  const returned = await takeReturned(program);
  if (returned !== null)
    agent.event('agent-update-undone', { from: returned.to, to: returned.from });
}

/** A server that is not up yet, and a person who has not decided yet, are waited for. */
async function enrolWhenPossible(options: RunAgentOptions): Promise<Identity> {
  const { enrolment, log } = options;
  if (!enrolment) throw new NotEnrolled(options.stateDirectory);
  return untilEnrolled(() => enrolMachine(options, enrolment), {
    ...{ serverUrl: enrolment.serverUrl, log },
    mayPass: (error) => isUndecided(error) || isUnreachable(error),
  });
}
