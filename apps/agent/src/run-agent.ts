/** Runs the agent of this machine from its state directory, and enrolls it first if needed. */

import { AGENT_VERSION } from './agent-version.ts';
import { Agent, type AgentOptions } from './core/agent.ts';
import { enroll, enrollmentFacts } from './enroll.ts';
import { isUndecided, isUnreachable, untilEnrolled } from './until-enrolled.ts';
import { type Logger, reasonOf } from './logger.ts';
import { RealMachine } from './machine/real-machine.ts';
import { programRoot } from './machine/package-directory.ts';
import { endTrial, takeReturned } from './program/trial.ts';
import { lockState } from './state-lock.ts';
import { removeEnrollmentKey, takeEnrollmentKey } from './store/enrollment-key.ts';
import { readIdentity, writeIdentity, type Identity } from './store/identity-file.ts';
import { openAgentStore } from './store/open-agent-store.ts';
import { openMetricFile } from './metrics/metric-file.ts';
import { defaultFileSettings, type FileSettings } from './files/file-settings.ts';
import { openPty } from './terminal/open-pty.ts';
import { terminalAccount } from './terminal/terminal-account.ts';
import type { TerminalSettings } from './terminal/terminal-host.ts';
import type { OfferedPage } from '@deviceportal/device-protocol/web-page-offer';
import { defaultWebPages } from './web-pages/web-page-settings.ts';

export interface AgentPlace {
  readonly stateDirectory: string;
  readonly serialNumber: string | null;
  readonly log: Logger;
}

export interface EnrollmentOrder {
  readonly serverUrl: string;
  readonly claimToken: string;
  /** ID of the update key that the server must announce, if it was provided separately. */
  readonly releaseKey?: string | null;
}

export interface RunAgentOptions extends AgentPlace {
  /** Used if the machine is not enrolled yet. */
  readonly enrollment: EnrollmentOrder | null;
  /** Brokers to use instead of those that the server announced. */
  readonly brokerUrls?: readonly string[] | undefined;
  /** By default, terminals run in the account of the agent, unless it is root. */
  readonly terminal?: TerminalSettings;
  /** By default, only the exchange folder in the state directory can be reached. */
  readonly files?: FileSettings;
  /** Web pages of this machine that can be opened; by default, none. */
  readonly webPages?: readonly OfferedPage[];
  /** How the account of terminals is found. */
  readonly findAccount?: typeof terminalAccount;
  /** Called when a command requested a restart of the agent. */
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
    super(`not enrolled in ${stateDirectory}: use --server and --claim`);
    this.name = 'NotEnrolled';
  }
}

/** Enrolls this machine again and saves the identity, which replaces an existing one. */
export async function enrollMachine(place: AgentPlace, order: EnrollmentOrder): Promise<Identity> {
  const machine = new RealMachine(place);
  // An identity that cannot be read proves nothing. The machine enrolls as one without identity.
  const former = await readIdentity(place.stateDirectory).catch(() => undefined);
  const facts = enrollmentFacts(await machine.inventory());
  const privateKey = await takeEnrollmentKey(place.stateDirectory);
  const identity = await enroll({ ...order, facts, former, privateKey });
  await writeIdentity(place.stateDirectory, identity);
  await removeEnrollmentKey(place.stateDirectory);
  place.log('info', 'enrolled', { deviceId: identity.deviceId, instanceId: identity.instanceId });
  return identity;
}

/** Like `enrollMachine`, but waits for an approval if it is required. */
export const enrollWhenApproved = (place: AgentPlace, order: EnrollmentOrder): Promise<Identity> =>
  untilEnrolled(() => enrollMachine(place, order), {
    ...order,
    log: place.log,
    mayPass: isUndecided,
  });

export async function startAgent(options: RunAgentOptions): Promise<RunningAgent> {
  await using stack = new AsyncDisposableStack();
  stack.use(await lockState(options.stateDirectory));
  const identity =
    (await readIdentity(options.stateDirectory)) ?? (await enrollWhenPossible(options));
  const opened = await openAgentStore({ stateDirectory: options.stateDirectory });
  stack.use(opened);
  const metrics = stack.use(openMetricFile(options));
  const program = programRoot(options.stateDirectory);
  const logFault = (error: unknown): void =>
    options.log('error', 'version trial not ended', { reason: reasonOf(error) });
  const agent: Agent = new Agent({
    ...options.timing,
    identity,
    brokerUrls: options.brokerUrls,
    saveIdentity: (renewed) => writeIdentity(options.stateDirectory, renewed),
    store: opened.store,
    metrics,
    checkClock: true,
    machine: new RealMachine(options),
    terminal: {
      isOn: options.terminal?.isOn ?? true,
      consentProgram: options.terminal?.consentProgram ?? null,
      account: () => (options.findAccount ?? terminalAccount)(options.terminal?.account ?? null),
      openPty: (account, request) =>
        openPty({ ...options, serverUrl: identity.serverUrl, fetch }, account, request),
    },
    files: {
      settings: options.files ?? defaultFileSettings,
      stateDirectory: options.stateDirectory,
    },
    webPages: {
      pages: options.webPages ?? defaultWebPages,
      consentProgram: options.terminal?.consentProgram ?? null,
    },
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

/** Ends the trial of this version at the first connection. */
async function tellUpdated(agent: Agent, program: string): Promise<void> {
  const trial = await endTrial(program);
  if (trial !== null) agent.event('agent-updated', { from: trial.from, to: trial.to });
}

/** Reports a rolled-back version. */
async function tellReturned(agent: Agent, program: string): Promise<void> {
  const returned = await takeReturned(program);
  if (returned !== null)
    agent.event('agent-update-undone', { from: returned.to, to: returned.from });
}

/** Waits for a server that is not available yet, and for a pending decision. */
async function enrollWhenPossible(options: RunAgentOptions): Promise<Identity> {
  const { enrollment, log } = options;
  if (!enrollment) throw new NotEnrolled(options.stateDirectory);
  return untilEnrolled(() => enrollMachine(options, enrollment), {
    ...{ serverUrl: enrollment.serverUrl, log },
    mayPass: (error) => isUndecided(error) || isUnreachable(error),
  });
}
