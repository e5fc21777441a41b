import { confirmedSession } from '../command-fixture.ts';
import { TRPCError } from '@trpc/server';
import { newId } from '@deviceportal/contract/ids';
import { createAccessRouter } from '../../../src/access/access-router.ts';
import { endDueAccessGrants } from '../../../src/access/access-grants/end-access-grants.ts';
import { externalDirectory } from '../../../src/access/external-directory.ts';
import { advanceAirBlasts } from '../../../src/air-blast/steps/advance-air-blast.ts';
import type { AirBlastDeps } from '../../../src/air-blast/air-blast-deps.ts';
import { createAirBlastRouter } from '../../../src/air-blast/air-blast-router.ts';
import { createTimedRole } from '../../../src/air-blast/timed-role.ts';
import { ensureAuditMonths } from '../../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { sealAuditTrail } from '../../../src/audit-trail/sealing/seal-audit-trail.ts';
import { createCommandsRouter } from '../../../src/commands/commands-router.ts';
import { createDispatcher, type Dispatcher } from '../../../src/commands/execution/dispatcher.ts';
import { stopQueued } from '../../../src/commands/execution/stop-queued.ts';
import { TargetTrees } from '../../../src/commands/signing/target-trees.ts';
import { createDevicesRouter } from '../../../src/devices/devices-router.ts';
import { findMadeByAccessGrant } from '../../../src/compose/find-made-by-access-grant.ts';
import type { GatewayDependencies } from '../../../src/gateway/gateway-dependencies.ts';
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts';
import { sweepPresence } from '../../../src/gateway/sweep-presence.ts';
import { createCaller, portalErrorOf, router } from '../../../src/platform/api.ts';
import {
  createLocalChangeFeed,
  type Change,
  type ChangeFeed,
} from '../../../src/platform/change-feed.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { createViewerFinder, type ViewerFinder } from '../../../src/session/find-viewer.ts';
import { isKilled, CrashInjector } from '../crash-injector.ts';
import type { Job } from './history.ts';
import type { Installation } from './installation.ts';
import type { LossyBroker } from './lossy-broker.ts';
import { testConnection } from '../brokers/test-connection.ts';

const NEVER_MS = 2_000_000_000;

/** The environment of a server. */
export interface Surroundings {
  readonly installation: Installation;
  readonly database: Database;
  readonly broker: LossyBroker;
  /** Passes changes to the other servers. */
  readonly tell: (changes: readonly Change[]) => void;
}

/** The result of a request. */
export type Answer =
  | { readonly kind: 'done'; readonly data: unknown }
  | { readonly kind: 'refused'; readonly code: number; readonly error: unknown }
  /** The server was killed before it responded: the request may have been executed or not. */
  | { readonly kind: 'killed' };

/** A composed server, which can be killed between any two statements. Its periodic work runs on request. */
export class SystemServer implements AsyncDisposable {
  /** Warnings that the server logged while it ran. */
  readonly complaints: unknown[] = [];
  readonly hear: (changes: readonly Change[]) => void;
  /** The offset of its clock. */
  skewMs = 0;
  readonly #crash = new CrashInjector();
  readonly #resources = new AsyncDisposableStack();
  readonly #database: Database;
  readonly #deps: AirBlastDeps;
  readonly #gatewayDeps: GatewayDependencies;
  readonly #installation: Installation;
  readonly #dispatcher: Dispatcher;
  readonly #viewers: ViewerFinder;
  readonly #router: ReturnType<typeof createSystemRouter>;

  private constructor({ installation, database, broker, tell }: Surroundings) {
    this.#installation = installation;
    this.#database = this.#crash.wrap(database);
    const clock = (): Date => new Date(Date.now() + this.skewMs);
    const local = createLocalChangeFeed((error) => this.complaints.push(error));
    this.hear = (changes) => {
      if (!this.isDead) local.publish(changes);
    };
    const changes: ChangeFeed = {
      subscribe: (listener) => local.subscribe(listener),
      publish: (news) => {
        this.hear(news);
        if (!this.isDead) tell(news);
      },
    };
    const complain = ({ err }: { readonly err?: unknown }): void => {
      if (!this.isDead && !isKilled(err)) this.complaints.push(err);
    };
    const logger = { info() {}, warn: complain, error: complain };
    const transport = broker.transport(() => this.isDead);
    const { deviceKeys, vault, tokens, signApproval, approvalDevices } = installation;
    const signing = {
      keys: installation.runKeys,
      trees: new TargetTrees(),
      findSoftware: async () => [],
    };
    const shared = { database: this.#database, changes, logger, transport };
    this.#dispatcher = this.#resources.use(
      createDispatcher({
        ...shared,
        ...{ vault, signing },
        artefactUploadUrl: () => null,
        pollIntervalMs: NEVER_MS,
      }),
    );
    this.#gatewayDeps = {
      ...shared,
      ...{ deviceKeys, clock },
      connection: testConnection(),
      authority: {
        authorities: '',
        isRotating: false,
        sign: () => Promise.reject(new Error('not expected')),
      },
    };
    this.#deps = {
      ...{ database: this.#database, changes, clock, vault, signing, tokens, signApproval },
      approvalSignatures: (text) => [signApproval(text)],
      sendNew: this.#dispatcher.sendNew,
      parameters: { read: async () => [] },
      signArtifactUrl: (id) => `/artefacts/${id}`,
      signResultsUrl: ({ runId }) => `/run-results/${runId}`,
      signReportUrl: ({ id }) => `/air-blast-report/${id}`,
      role: createTimedRole({ clock }),
      approvalDevices,
      named: { supportedCountries: [] },
    };
    this.#viewers = createViewerFinder({
      ...{ database: this.#database, clock, named: { sessionDurationMinutes: 1_440 } },
      tokens: { verify: () => Promise.reject(new Error('not expected')) },
      findGroups: async () => [],
    });
    this.#router = createSystemRouter(this.#deps);
  }

  static async start(surroundings: Surroundings): Promise<SystemServer> {
    const server = new SystemServer(surroundings);
    server.#resources.use(await server.#openGateway());
    return server;
  }

  get isDead(): boolean {
    return this.#crash.isDead;
  }

  get isBusy(): boolean {
    return this.#crash.isBusy;
  }

  killAfter(statements: number): void {
    this.#crash.killAfter(statements);
  }

  /** An API request of a user whose token has been verified. */
  async call(subject: string, path: string, input: unknown): Promise<Answer> {
    try {
      const viewer = await this.#viewers.findBySubject(subject, []);
      const caller = createCaller(this.#router)({
        ...{ viewer, requestId: newId(), address: '192.0.2.7' },
        stepUp: confirmedSession,
        batchSize: 1,
        onCall: () => {},
      });
      const procedure = path
        .split('.')
        .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], caller);
      return { kind: 'done', data: await (procedure as (value: unknown) => unknown)(input) };
    } catch (error) {
      if (this.isDead || isKilled(error)) return { kind: 'killed' };
      const { code } = portalErrorOf(
        error instanceof TRPCError
          ? error
          : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error }),
      );
      return { kind: 'refused', code, error };
    }
  }

  async work(job: Job): Promise<void> {
    await this.#work(job).catch((error: unknown) => {
      if (!this.isDead && !isKilled(error)) this.complaints.push(error);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources[Symbol.asyncDispose]();
  }

  #openGateway(): Promise<Gateway> {
    return createGateway({
      ...this.#gatewayDeps,
      onConnected: (deviceIds) => this.#dispatcher.devicesConnected(deviceIds),
      sweepIntervalMs: NEVER_MS,
      heartbeatWaitMs: 1,
    });
  }

  async #work(job: Job): Promise<void> {
    const { clock } = this.#deps;
    switch (job) {
      case 'dispatch':
        return this.#dispatcher.poll();
      case 'rollouts':
        return advanceAirBlasts(this.#deps, (error) => {
          if (!this.isDead && !isKilled(error)) this.complaints.push(error);
        });
      case 'accessGrants':
        return endDueAccessGrants(this.#deps);
      case 'presence':
        return sweepPresence(this.#gatewayDeps, Number.POSITIVE_INFINITY);
      case 'seal':
        await sealAuditTrail({ ...this.#deps, signer: this.#installation.auditSigner });
        return;
      case 'keep':
        await ensureAuditMonths(this.#deps.database.orm, clock());
    }
  }
}

function createSystemRouter(deps: AirBlastDeps) {
  const access = {
    ...deps,
    directory: externalDirectory,
    notices: { has: () => false, queue: () => Promise.reject(new Error('not expected')) },
    publicUrl: 'http://localhost',
    passkeys: {
      overview: () => Promise.reject(new Error('not expected')),
      removeAll: () => Promise.reject(new Error('not expected')),
    },
    installCommand: () => Promise.reject(new Error('not expected')),
  };
  return router({
    commands: createCommandsRouter(deps),
    airBlast: createAirBlastRouter(deps),
    devices: createDevicesRouter(access),
    access: createAccessRouter({
      ...access,
      stopQueued: (caller, userId) => stopQueued(deps, caller, userId),
      findCreatedObjects: (accessGrantId) =>
        findMadeByAccessGrant({ ...deps, provider: undefined }, accessGrantId),
    }),
  });
}
