import { decodeJWT, type JWT } from '@aws-amplify/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCredentialsProvider } from './credentials-provider.ts';
import { createRetry } from './retry-quota.ts';

const POOL = 'us-east-1:6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10';
const HOUR_SECONDS = 3_600;

interface Call {
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
}
type Answer = (call: Call) => { status?: number; body: object } | undefined;

let nowMs: number;
let calls: Call[];
let stored: Map<string, string>;
let answerOf: Answer;

beforeEach(() => {
  nowMs = 1_000_000;
  calls = [];
  stored = new Map();
  answerOf = () => undefined;
});

/** Simulates the identity pool at the network level, with default responses. */
const fetchPool: typeof fetch = async (_url, init) => {
  const target = new Headers(init?.headers).get('x-amz-target') ?? '';
  const call = {
    operation: target.split('.').at(-1) ?? '',
    body: JSON.parse(String(init?.body)) as Call['body'],
  };
  calls.push(call);
  const { status = 200, body } = answerOf(call) ?? { body: usual(call) };
  return Response.json(body, { status });
};

function usual({ operation, body }: Call): object {
  const isGuest = body['Logins'] === undefined;
  if (operation === 'GetId') return { IdentityId: isGuest ? 'id-guest' : 'id-own' };
  return {
    IdentityId: body['IdentityId'],
    Credentials: {
      AccessKeyId: `key-${calls.length}`,
      SecretKey: 'the-secret',
      SessionToken: 'session',
      Expiration: nowMs / 1_000 + HOUR_SECONDS,
    },
  };
}

const provider = (accountId: string | null = null) =>
  createCredentialsProvider({
    endpoint: 'https://pool.example/',
    identityPoolId: POOL,
    accountId,
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    fetch: fetchPool,
    nowMs: () => nowMs,
    retry: createRetry({ classify: () => 'final', sleep: async () => undefined, random: () => 0 }),
  });

function login(subject: string): { tokens: { idToken: JWT; accessToken: JWT } } {
  const part = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '');
  const payload = { sub: subject, iss: 'https://pool.example/us-east-1_X', exp: 5_000 };
  const token = decodeJWT(`${part({ alg: 'RS256' })}.${part(payload)}.c2ln`);
  return { tokens: { idToken: token, accessToken: token } };
}
const ask = (
  from: ReturnType<typeof provider>,
  who: Partial<ReturnType<typeof login>>,
  forceRefresh = false,
) =>
  from.getCredentialsAndIdentityId({
    authConfig: {},
    authenticated: who.tokens !== undefined,
    forceRefresh,
    ...who,
  } as Parameters<typeof from.getCredentialsAndIdentityId>[0]);
const operations = (): string[] => calls.map(({ operation }) => operation);

describe('guests', () => {
  it('before the sign-in, guest credentials are requested without a login', async () => {
    const credentials = await ask(provider(), {});
    expect(credentials?.identityId).toBe('id-guest');
    expect(calls.every(({ body }) => body['Logins'] === undefined)).toBe(true);
  });

  it('the sign-in exchanges the guest identity, and the response determines the identity', async () => {
    const credentials = provider();
    await ask(credentials, {});
    answerOf = (call) => {
      if (call.body['Logins'] === undefined) return undefined;
      return { body: { ...usual(call), IdentityId: 'id-of-long-ago' } };
    };
    const own = await ask(credentials, login('ana'));
    expect(calls.at(-1)?.body).toMatchObject({
      IdentityId: 'id-guest',
      Logins: { 'pool.example/us-east-1_X': expect.any(String) },
    });
    expect(own?.identityId).toBe('id-of-long-ago');
    await ask(credentials, login('ana'), true);
    expect(calls.at(-1)?.body['IdentityId']).toBe('id-of-long-ago');
    expect(operations()).toEqual(['GetId', ...Array(3).fill('GetCredentialsForIdentity')]);
  });

  it('a pool without guest access provides no guest credentials', async () => {
    answerOf = () => ({
      status: 400,
      body: { __type: 'NotAuthorizedException', message: 'Unauthenticated access is not…' },
    });
    expect(await ask(provider(), {})).toBeUndefined();
  });
});

describe('the signed-in user', () => {
  it('the secret key is kept only in memory', async () => {
    await ask(provider(), login('ana'));
    expect(JSON.stringify([...stored])).not.toContain('the-secret');
    expect(JSON.parse(stored.get('deviceportal.federated') ?? '{}')).toEqual({
      provider: 'pool.example/us-east-1_X',
      subject: 'ana',
      identityId: 'id-own',
      tokenExpiresAtMs: 5_000_000,
    });
  });

  it.each([
    ['just before 50 minutes they are kept', 2_999_999, 1],
    ['after 50 minutes they are renewed', 3_000_000, 2],
  ])('%s', async (_what, laterMs, times) => {
    const credentials = provider();
    await ask(credentials, login('ana'));
    nowMs += laterMs;
    await ask(credentials, login('ana'));
    const asked = operations().filter((name) => name === 'GetCredentialsForIdentity');
    expect(asked).toHaveLength(times);
    expect(operations().filter((name) => name === 'GetId')).toHaveLength(1);
  });

  it('credentials that expire sooner are renewed at their expiry', async () => {
    answerOf = (call) => {
      if (call.operation === 'GetId') return undefined;
      const body = usual(call) as { Credentials: object };
      return {
        body: { ...body, Credentials: { ...body.Credentials, Expiration: nowMs / 1_000 + 60 } },
      };
    };
    const credentials = provider();
    await ask(credentials, login('ana'));
    nowMs += 59_999;
    await ask(credentials, login('ana'));
    expect(calls).toHaveLength(2);
    nowMs += 1;
    await ask(credentials, login('ana'));
    expect(calls).toHaveLength(3);
  });

  it('another user never gets the cached credentials', async () => {
    const credentials = provider();
    const [ana, bob] = [await ask(credentials, login('ana')), await ask(credentials, login('bob'))];
    expect(ana?.credentials.accessKeyId).not.toBe(bob?.credentials.accessKeyId);
    expect(operations().filter((name) => name === 'GetId')).toHaveLength(2);
  });

  it('GetId names the account of the pool where it is set', async () => {
    await ask(provider(), login('ana'));
    await ask(provider('111122223333'), login('bob'));
    const accounts = calls.filter(({ operation }) => operation === 'GetId').map(({ body }) => body);
    expect(accounts.map((body) => body['AccountId'])).toEqual([undefined, '111122223333']);
  });

  it('ten concurrent calls make one request', async () => {
    const credentials = provider();
    await Promise.all(Array.from({ length: 10 }, () => ask(credentials, login('ana'))));
    expect(operations()).toEqual(['GetId', 'GetCredentialsForIdentity']);
  });

  it('a stored identity that no longer exists is requested again', async () => {
    stored.set('deviceportal.guest', 'id-gone');
    answerOf = ({ body }) =>
      body['IdentityId'] === 'id-gone'
        ? { status: 400, body: { __type: 'ResourceNotFoundException', message: 'not found' } }
        : undefined;
    expect((await ask(provider(), login('ana')))?.identityId).toBe('id-own');
  });

  it.each(['AccessKeyId', 'SecretKey', 'IdentityId'])(
    'a response without %s is rejected',
    async (missing) => {
      answerOf = (call) => {
        if (call.operation === 'GetId') return undefined;
        const { Credentials, ...rest } = usual(call) as { Credentials: object };
        const without = (from: object) =>
          Object.fromEntries(Object.entries(from).filter(([name]) => name !== missing));
        return { body: { ...without(rest), Credentials: without(Credentials) } };
      };
      await expect(ask(provider(), login('ana'))).rejects.toThrow('incomplete credentials');
    },
  );
});
