import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import selections from '../../../identity-client/tests/vectors/identity-sdk-graphql-selections.json' with { type: 'json' };
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
});
afterAll(() => idp[Symbol.asyncDispose]());

type Field =
  | string
  | {
      readonly field: string;
      readonly selection: readonly Field[];
      readonly args?: Record<string, string>;
    };

interface Recorded {
  readonly operationType: string;
  readonly rootField: string;
  readonly variableDefinitions: Readonly<Record<string, string>>;
  readonly rootArgs: Readonly<Record<string, string>>;
  readonly selection?: readonly Field[];
}

interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly errors?: readonly {
    readonly message: {
      readonly code: number;
      readonly message: string;
      readonly data?: { detail?: string };
    };
  }[];
}

async function ask(
  query: unknown,
  variables: unknown = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const reply = await fetch(`${idp.host}/graphql/v2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return { status: reply.status, ...((await reply.json()) as Omit<Answer, 'status'>) };
}

describe('GraphQL', () => {
  it.each(Object.entries(selections as unknown as Record<string, Recorded>))(
    'the recorded operation %s matches the schema',
    async (_name, recorded) => {
      const { variableDefinitions } = recorded;
      const variables = Object.fromEntries(
        Object.entries(variableDefinitions).map(([name, type]) => [name, sampleOf(type)]),
      );
      const answer = await ask(queryOf(recorded), variables);
      expect(answer.status).toBe(200);
      // Refused for what it asks, never for how: nobody is signed in here.
      for (const { message } of answer.errors ?? []) expect(message.data?.detail).toBeUndefined();
    },
  );

  it('an error is an object, in the language of the request, with HTTP 200', async () => {
    const query = 'mutation { refreshToken { token } }';
    expect(await ask(query)).toEqual({
      status: 200,
      errors: [{ message: { code: 2020, message: '请先登录！', data: null } }],
      data: { refreshToken: null },
    });
    const english = await ask(query, {}, { 'x-authing-lang': 'en-US' });
    expect(english.errors?.[0]?.message.message).toBe('Sign in first');
  });

  it.each([
    ['the schema', '{ __schema { types { name } } }'],
    ['a type', '{ __type(name: "User") { fields { name } } }'],
    [
      'a query that is too deep',
      `{ user { ${'roles { list { parent { '.repeat(4)} id ${'} } }'.repeat(4)} } }`,
    ],
    [
      'a query that is too wide',
      `{ ${Array.from({ length: 500 }, (_, i) => `a${i}: isUserExists(email: "a@b.c")`).join(' ')} }`,
    ],
    [
      'two guesses in one request',
      'mutation { a: refreshToken { token } b: refreshToken { token } }',
    ],
    ['fragments', 'query { ...f } fragment f on Query { isUserExists }'],
    ['what is no GraphQL', '{ user { '],
    ['a field that is none', '{ user { passwordHash } }'],
    ['no query', null],
  ])('[idp-graphql-3] %s is rejected', async (_what, query) => {
    const answer = await ask(query);
    expect(answer.status).toBe(200);
    expect(answer.errors?.[0]?.message.code).toBe(400);
    expect(idp.failures).toEqual([]);
  });

  it('an unknown application or user pool is rejected', async () => {
    const query = '{ isUserExists(email: "a@b.c") }';
    const wrongApp = await ask(query, {}, { 'x-authing-app-id': 'nobody' });
    expect(wrongApp.errors?.[0]?.message.code).toBe(1001);
    const wrongPool = await ask(query, {}, { 'x-authing-userpool-id': 'nobody' });
    expect(wrongPool.errors?.[0]?.message.code).toBe(1002);
  });

  it('[idp-graphql-5] pages of the application can call with cookies, other pages cannot read responses', async () => {
    const { origin } = new URL(REDIRECT_URI);
    const preflight = (from: string) =>
      fetch(`${idp.host}/graphql/v2`, {
        method: 'OPTIONS',
        headers: { origin: from, 'access-control-request-method': 'POST' },
      });
    const allowed = await preflight(origin);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    expect(allowed.headers.get('access-control-allow-headers')).toContain(
      'x-authing-app-tenant-id',
    );
    const foreign = await preflight('https://evil.example');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });
});

function queryOf({
  operationType,
  rootField,
  variableDefinitions,
  rootArgs,
  selection,
}: Recorded): string {
  const variables = Object.entries(variableDefinitions).map(([name, type]) => `$${name}: ${type}`);
  const given = Object.entries(rootArgs).map(([name, value]) => `${name}: ${value}`);
  const head = variables.length === 0 ? '' : `(${variables.join(', ')})`;
  const call = given.length === 0 ? rootField : `${rootField}(${given.join(', ')})`;
  return `${operationType} ${head} { ${call} ${selection ? textOf(selection) : ''} }`;
}

function textOf(selection: readonly Field[]): string {
  const fields = selection.map((field) => {
    if (typeof field === 'string') return field;
    const given = Object.entries(field.args ?? {}).map(([name, value]) => `${name}: ${value}`);
    return `${field.field}${given.length > 0 ? `(${given.join(', ')})` : ''} ${textOf(field.selection)}`;
  });
  return `{ ${fields.join(' ')} }`;
}

/** A value that fits the type, as a client would send one. */
function sampleOf(type: string): unknown {
  const samples: Readonly<Record<string, unknown>> = {
    'EmailScene!': 'RESET_PASSWORD',
    'UDFTargetType!': 'USER',
    '[UserDefinedDataInput!]': [{ key: 'age', value: '30' }],
    'RegisterByEmailInput!': { email: 'nobody', password: 'x', params: null, context: null },
    'RegisterByUsernameInput!': { username: '', password: 'x', forceLogin: false },
    'RegisterByPhoneCodeInput!': { phone: '13800000000', code: '1', profile: {} },
    'LoginByEmailInput!': { email: 'a@b.c', password: 'x', autoRegister: false },
    'LoginByUsernameInput!': { username: 'a', password: 'x' },
    'LoginByPhoneCodeInput!': { phone: '13800000000', code: '1', phoneCountryCode: '+86' },
    'LoginByPhonePasswordInput!': { phone: '13800000000', password: 'x' },
    'UpdateUserInput!': { nickname: 'x' },
  };
  return samples[type] ?? 'x';
}
