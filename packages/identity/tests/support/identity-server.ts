import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { createTestDatabase } from '../../../../apps/server/tests/support/database/create-test-database.ts';
import type { AdministrationAct } from '../../src/administration/administration-act.ts';
import type { Clock } from '../../src/clock.ts';
import type { IdentityEvent } from '../../src/identity-event.ts';
import {
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
} from '../../src/cognito/identity-service.ts';
import type { OutgoingMessage } from '../../src/messenger.ts';
import type { IdentitySettings } from '../../src/cognito/settings.ts';

/** A clock that runs, and that a test can turn forward. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** The service behind a real HTTP server on a database of its own, with everything that a test looks at. */
export interface IdentityServer extends AsyncDisposable {
  readonly service: IdentityService;
  readonly pool: pg.Pool;
  /** With the role that owns the tables. */
  readonly owner: pg.Pool;
  readonly clock: TestClock;
  readonly messages: OutgoingMessage[];
  readonly events: IdentityEvent[];
  readonly acts: AdministrationAct[];
  readonly failures: unknown[];
  /** For another service on the same database. */
  readonly sealingKey: Uint8Array;
  /** `http://127.0.0.1:<port>/identity` */
  readonly endpoint: string;
  /** The newest code sent to this address. */
  codeFor(to: string): string;
}

export interface IdentityServerOptions {
  readonly settings?: Partial<IdentitySettings>;
  readonly sessionDurationMinutes?: () => number;
  readonly triggers?: IdentityServiceOptions['triggers'];
  readonly messenger?: IdentityServiceOptions['messenger'];
  readonly writeAct?: IdentityServiceOptions['writeAct'];
  readonly findPermissions?: IdentityServiceOptions['findPermissions'];
}

export async function startIdentityServer(
  options: IdentityServerOptions = {},
): Promise<IdentityServer> {
  await using cleanup = new AsyncDisposableStack();
  const { database, owner } = cleanup.use(await createTestDatabase());
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  cleanup.defer(
    () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  );
  const { port } = http.address() as AddressInfo;
  const messages: OutgoingMessage[] = [];
  const events: IdentityEvent[] = [];
  const acts: AdministrationAct[] = [];
  const failures: unknown[] = [];
  const clock = startClock();
  const sealingKey = randomBytes(32);
  const userPoolId = options.settings?.userPoolId ?? 'us-east-1_DevicePortal';
  const service = await createIdentityService({
    pool: database.pool,
    clock,
    sealingKey,
    messenger: options.messenger ?? { send: async (message) => void messages.push(message) },
    settings: { issuer: `http://127.0.0.1:${port}/identity/${userPoolId}`, ...options.settings },
    ...(options.sessionDurationMinutes && {
      sessionDurationMinutes: options.sessionDurationMinutes,
    }),
    ...(options.triggers && { triggers: options.triggers }),
    writeAct: options.writeAct ?? (async (_client, act) => void acts.push(act)),
    ...(options.findPermissions && { findPermissions: options.findPermissions }),
    record: (event) => events.push(event),
    onInternalError: (error) => failures.push(error),
  });
  http.on('request', (request, response) => {
    // A real server's Date header is its clock; this one's clock a test may have turned forward.
    response.setHeader('date', new Date(clock.now()).toUTCString());
    // A request that ends in its middle has no answer.
    answer(service, request, response).catch(() => response.destroy());
  });
  const owned = cleanup.move();
  return {
    service,
    pool: database.pool,
    owner: owner.pool,
    clock,
    messages,
    events,
    acts,
    failures,
    sealingKey,
    endpoint: `http://127.0.0.1:${port}/identity`,
    codeFor: (to) => messages.findLast((message) => message.to === to)?.code ?? 'no code was sent',
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function startClock(): TestClock {
  let offsetMs = 0;
  return {
    now: () => Date.now() + offsetMs,
    advance(ms) {
      offsetMs += ms;
    },
  };
}

async function answer(
  service: IdentityService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url?.endsWith('/.well-known/jwks.json') === true) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await service.keySet()));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const reply = await service.handle({
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    address: request.socket.remoteAddress ?? '',
  });
  response.writeHead(reply.status, reply.headers).end(reply.body);
}
