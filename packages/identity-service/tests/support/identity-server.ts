import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { createTestDatabase } from '../../../../apps/server/tests/support/create-test-database.ts';
import type { Clock } from '../../src/clock.ts';
import type { IdentityEvent } from '../../src/identity-event.ts';
import {
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
} from '../../src/identity-service.ts';
import type { OutgoingMessage } from '../../src/messenger.ts';
import { migrateIdentity } from '../../src/migrate-identity.ts';
import type { IdentitySettings } from '../../src/settings.ts';

/** A clock that runs, and that a test can turn forward. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** The service behind a real HTTP server on a database of its own, with everything that a test looks at. */
export interface IdentityServer extends AsyncDisposable {
  readonly service: IdentityService;
  readonly pool: pg.Pool;
  readonly clock: TestClock;
  readonly messages: OutgoingMessage[];
  readonly events: IdentityEvent[];
  readonly failures: unknown[];
  /** `http://127.0.0.1:<port>/identity` */
  readonly endpoint: string;
  /** The newest code sent to this address. */
  codeFor(to: string): string;
}

export interface IdentityServerOptions {
  readonly settings?: Partial<IdentitySettings>;
  readonly triggers?: IdentityServiceOptions['triggers'];
  readonly messenger?: IdentityServiceOptions['messenger'];
}

export async function startIdentityServer(
  options: IdentityServerOptions = {},
): Promise<IdentityServer> {
  await using cleanup = new AsyncDisposableStack();
  const { database } = cleanup.use(await createTestDatabase());
  await migrateIdentity(database.pool);
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
  const failures: unknown[] = [];
  const clock = startClock();
  const userPoolId = options.settings?.userPoolId ?? 'us-east-1_DevicePortal';
  const service = await createIdentityService({
    pool: database.pool,
    clock,
    messenger: options.messenger ?? { send: async (message) => void messages.push(message) },
    settings: { issuer: `http://127.0.0.1:${port}/identity/${userPoolId}`, ...options.settings },
    ...(options.triggers && { triggers: options.triggers }),
    record: (event) => events.push(event),
    onInternalError: (error) => failures.push(error),
  });
  http.on('request', (request, response) => void answer(service, request, response));
  const owned = cleanup.move();
  return {
    service,
    pool: database.pool,
    clock,
    messages,
    events,
    failures,
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
    response.end(JSON.stringify(service.keySet()));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const reply = await service.handle({
    method: request.method ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    address: request.socket.remoteAddress ?? '',
  });
  response.writeHead(reply.status, reply.headers).end(reply.body);
}
