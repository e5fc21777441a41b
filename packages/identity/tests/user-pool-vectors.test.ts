import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { otherCode } from './support/wire-clients.ts';
import recorded from './user-pool-vectors.json' with { type: 'json' };

/**
 * Requests as Amplify, the SDK, identity-js and Chromium sent them, byte for byte but for what differs from run to run,
 * and the replies these clients were seen to understand. `<Session 3>` stands for what the third reply with one gave.
 */
interface Exchange {
  readonly step: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: Json;
  readonly status: number;
  readonly errorType?: string;
  readonly reply: Json;
  /** Turned forward before the request. */
  readonly waitSeconds?: number;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const exchanges = recorded as unknown as readonly Exchange[];
const SECRETS = new Set(['Session', 'AccessToken', 'IdToken', 'RefreshToken']);
/** What the recorded replies called them, and what they are here. */
const ours = new Map<string, string>();
let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  const { users, clients, settings } = server.service;
  await users.createUser({
    username: 'alice',
    email: 'alice@example.com',
    phoneNumber: '+12065550100',
    name: 'Alice',
  });
  await users.createUser({ username: 'bob', email: 'bob@example.com' });
  await users.createUser({ username: 'carol', email: 'carol@example.com', enabled: false });
  await clients.saveClient({
    clientId: 'hiding',
    name: 'PreventUserExistenceErrors ENABLED',
    userExistenceErrors: 'ENABLED',
  });
  ours.set('<client>', settings.userPoolClientId).set('<hiding client>', 'hiding');
});
afterAll(() => server[Symbol.asyncDispose]());

function toOurs(value: Json): Json {
  if (typeof value === 'string') {
    const code = server.messages.at(-1)?.code ?? '';
    if (value === '<right code>') return code;
    return value === '<wrong code>' ? otherCode(code) : (ours.get(value) ?? value);
  }
  return mapJson(value, toOurs);
}

function mapJson(value: Json, map: (inner: Json, name?: string) => Json): Json {
  if (Array.isArray(value)) return value.map((inner: Json) => map(inner));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, map(inner, name)]));
}

/** Notes our secrets under their recorded names. */
function learn(recordedReply: Json, reply: Json): void {
  if (typeof recordedReply !== 'object' || typeof reply !== 'object') return;
  for (const [name, value] of Object.entries(recordedReply ?? {})) {
    const own = (reply as Record<string, Json> | null)?.[name] ?? null;
    if (SECRETS.has(name)) ours.set(String(value), String(own));
    else learn(value, own);
  }
}

/** Without what differs from run to run; of the challenge's own parameters only the user name is the protocol's. */
function comparable(value: Json, name?: string): Json {
  if (name === 'ChallengeParameters') {
    const { USERNAME } = value as Record<string, Json>;
    return USERNAME === undefined ? {} : { USERNAME };
  }
  if (SECRETS.has(name ?? '')) return `a ${name}`;
  const { Name } = (value ?? {}) as { readonly Name?: string };
  return Name === 'sub' ? { Name, Value: '' } : mapJson(value, comparable);
}

describe('recorded exchanges of the user pool', () => {
  it.each(exchanges.map((exchange, index) => [index, exchange.step, exchange] as const))(
    '[vector-%i] %s',
    async (_index, _step, exchange) => {
      server.clock.advance((exchange.waitSeconds ?? 0) * 1_000);
      const response = await fetch(server.endpoint, {
        method: 'POST',
        headers: exchange.headers,
        body: JSON.stringify(toOurs(exchange.request)),
      });
      const reply = (await response.json()) as Json;
      learn(exchange.reply, reply);
      expect(comparable(reply)).toEqual(comparable(exchange.reply));
      expect(response.status).toBe(exchange.status);
      expect(response.headers.get('content-type')).toBe('application/x-amz-json-1.1');
      expect(response.headers.get('x-amzn-errortype')).toBe(exchange.errorType ?? null);
      expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
