import { randomBytes } from 'node:crypto';
import { fastify } from 'fastify';
import type pg from 'pg';
import { findFreePort } from '../../../../../apps/server/src/platform/http/find-free-port.ts';
import { createTestDatabase } from '../../../../../apps/server/tests/support/database/create-test-database.ts';
import type { Clock } from '../../../src/clock.ts';
import type { IdentityEvent } from '../../../src/identity-event.ts';
import type { OutgoingMessage } from '../../../src/messenger.ts';
import type { ProviderContext } from '../../../src/provider/provider-context.ts';
import type { ProviderSettingsInput } from '../../../src/provider/provider-settings.ts';
import {
  createProvider,
  type Provider,
  type ProviderOptions,
} from '../../../src/provider/provider.ts';
import type { ProviderUser, UserChange } from '../../../src/accounts/provider-user.ts';

/** A provider on a free port of this machine, over a database of its own, with everything that a test looks at. */
export interface OpenProvider extends AsyncDisposable {
  readonly provider: Provider;
  readonly context: ProviderContext;
  readonly pool: pg.Pool;
  readonly clock: TurnableClock;
  readonly messages: OutgoingMessage[];
  readonly events: IdentityEvent[];
  /** For another server on the same database. */
  readonly sealingKey: Uint8Array;
  /** What clients saw as an internal error. */
  readonly failures: unknown[];
  /** `http://127.0.0.1:<port>/idp`: the application host. */
  readonly host: string;
  readonly appId: string;
  /** Every route, with the prefix. */
  readonly routes: readonly OpenRoute[];
  /** The newest code sent to this address or number. */
  codeFor(to: string): string;
  /** An account, with this password in clear. */
  makeUser(user?: UserChange & { readonly password?: string }): Promise<ProviderUser>;
}

interface OpenRoute {
  readonly method: string;
  readonly url: string;
}

/** A clock that runs, and that a test can turn forward. */
interface TurnableClock extends Clock {
  advance(ms: number): void;
}

/** An application's callback address that is allowed; nothing listens there. */
export const REDIRECT_URI = 'http://127.0.0.1:9/callback';

type ProviderParts = Pick<ProviderOptions, 'sessionSeconds' | 'writeEvent' | 'writeAct'> & {
  /** Of this machine: browsers keep the cookies of another name apart, those of another port they do not. */
  readonly hostname?: '127.0.0.1' | 'localhost';
  /** Of an installation that is there already, with its key; left out: one of its own. */
  readonly pool?: pg.Pool;
  readonly sealingKey?: Uint8Array;
};

export async function openProvider(
  settings: Partial<ProviderSettingsInput> = {},
  { hostname = '127.0.0.1', sealingKey = randomBytes(32), ...parts }: ProviderParts = {},
): Promise<OpenProvider> {
  await using cleanup = new AsyncDisposableStack();
  const pool = parts.pool ?? cleanup.use(await createTestDatabase()).database.pool;
  const app = fastify({ forceCloseConnections: true });
  cleanup.defer(() => app.close());
  const routes: OpenRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url });
  });
  const messages: OutgoingMessage[] = [];
  const events: IdentityEvent[] = [];
  const failures: unknown[] = [];
  let offsetMs = 0;
  const clock = {
    now: () => Date.now() + offsetMs,
    advance: (ms: number) => void (offsetMs += ms),
  };
  // The address is part of what the provider says of itself: the port must be known before.
  const port = await findFreePort('127.0.0.1');
  const host = `http://${hostname}:${port}/idp`;
  const provider = await createProvider({
    ...parts,
    pool,
    sealingKey,
    clock,
    messenger: { send: async (message) => void messages.push(message) },
    record: (event) => void events.push(event),
    onInternalError: (error) => void failures.push(error),
    settings: {
      baseUrl: host,
      userPoolId: 'pool-1',
      passwordCostBits: 8,
      shortestPassword: 6,
      registration: 'on',
      application: {
        id: 'app-1',
        secret: 'a secret of the application',
        redirectUris: [REDIRECT_URI],
        logoutRedirectUris: [REDIRECT_URI],
        registration: 'as-provider',
      },
      ...settings,
    },
  });
  await app.register(provider.plugin, { prefix: '/idp' });
  await app.listen({ host: '127.0.0.1', port });
  const { context } = provider;
  const owned = cleanup.move();
  return {
    provider,
    context,
    pool,
    clock,
    messages,
    events,
    sealingKey,
    failures,
    host,
    appId: provider.settings.application.id,
    routes,
    codeFor: (to) => messages.findLast((message) => message.to === to)?.code ?? 'no code was sent',
    async makeUser({ password, ...user } = {}) {
      const kept = password === undefined ? undefined : await context.passwords.keep(password);
      return context.users.create({
        ...user,
        ...(kept && { passwordHash: kept.hash, passwordLevel: kept.level }),
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
