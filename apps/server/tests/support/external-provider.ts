import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';

export interface ExternalPerson {
  readonly id: string;
  readonly email: string;
  /** Without the country code, as the provider stores it. */
  readonly phone: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** May not sign in to this application: sending the email is rejected with 2224. */
  readonly barred?: boolean;
}

/** An external identity provider at the protocol level (its GraphQL, REST, and key set). */
export interface ExternalProvider extends AsyncDisposable {
  readonly host: string;
  readonly issuer: string;
  readonly keySetUrl: string;
  readonly appId: string;
  /** Codes by address, newest last. */
  readonly codes: ReadonlyMap<string, string>;
  /** Names of the received calls, in order. */
  readonly calls: readonly string[];
  readonly settings: {
    rolesInToken: boolean;
    tokenSeconds: number;
  };
  idToken(person: ExternalPerson, claims?: Readonly<Record<string, unknown>>): Promise<string>;
}

interface Wire {
  readonly query?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

const APP_ID = 'app-of-the-portal';

export async function openExternalProvider(
  people: readonly ExternalPerson[],
): Promise<ExternalProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'external-1', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, string>();
  const calls: string[] = [];
  const settings = { rolesInToken: false, tokenSeconds: 3_600 };
  let issuer = '';

  const idToken: ExternalProvider['idToken'] = (person, claims = {}) =>
    new SignJWT({
      email: person.email,
      email_verified: true,
      phone_number: person.phone,
      name: person.name,
      sub: person.id,
      iss: issuer,
      aud: APP_ID,
      ...(settings.rolesInToken && { roles: person.roles.map((code) => ({ code })) }),
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'external-1' })
      .setIssuedAt()
      .setExpirationTime(`${settings.tokenSeconds}s`)
      .sign(privateKey);
  const personBehind = async (request: IncomingMessage): Promise<ExternalPerson | undefined> => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const verified = await jwtVerify(token, publicKey).catch(() => undefined);
    return people.find(({ id }) => id === verified?.payload.sub);
  };
  const send = (address: string): void =>
    void codes.set(address, String(100_000 + codes.size + calls.length));
  const logIn = async (address: string, code: unknown): Promise<object | undefined> => {
    const person = people.find(({ email, phone }) => email === address || phone === address);
    if (person === undefined || codes.get(address) !== code) return undefined;
    codes.delete(address);
    return { ...person, roles: undefined, username: null, token: await idToken(person) };
  };

  const graphql = async (body: Wire, request: IncomingMessage): Promise<object> => {
    const field = /\{\s*(\w+)/.exec(body.query ?? '')?.[1] ?? '';
    calls.push(field);
    const variables = body.variables ?? {};
    const refuse = (code: number, message: string) => ({
      errors: [{ message: { code, message, data: null } }],
      data: null,
    });
    if (field === 'isUserExists') {
      const { email, phone } = variables;
      const isKnown = people.some((each) => each.email === email || each.phone === phone);
      return { data: { isUserExists: isKnown } };
    }
    if (field === 'sendEmail') {
      const email = String(variables['email']);
      if (people.some((each) => each.email === email && each.barred)) return refuse(2224, 'no');
      if (variables['scene'] !== 'LOGIN_VERIFY_CODE') return refuse(500, 'wrong scene');
      send(email);
      return { data: { sendEmail: { message: 'sent', code: 200 } } };
    }
    if (field === 'loginByPhoneCode') {
      const input = variables['input'] as { phone: string; code: string };
      const user = await logIn(input.phone, input.code);
      return user === undefined ? refuse(2001, 'wrong code') : { data: { loginByPhoneCode: user } };
    }
    const person = await personBehind(request);
    if (person === undefined) return refuse(2206, 'token invalid');
    if (field === 'refreshToken')
      return { data: { refreshToken: { token: await idToken(person), iat: 0, exp: 0 } } };
    const list = person.roles.map((code) => ({ code }));
    return { data: { user: { roles: { totalCount: list.length, list } } } };
  };

  const answer = async (request: IncomingMessage, body: Wire): Promise<object> => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (path === '/oidc/.well-known/jwks.json') return { keys: [jwk] };
    if (path === '/graphql/v2') return graphql(body, request);
    calls.push(path);
    if (path === '/api/v2/sms/send') {
      send(String(body['phone']));
      return { code: 200, message: 'sent' };
    }
    if (path === '/api/v2/login/email-code') {
      const user = await logIn(String(body['email']), body['code']);
      return user === undefined ? { code: 2001, message: 'wrong code' } : { code: 200, data: user };
    }
    return { code: 200, message: 'ok' };
  };

  const server = createServer((request, response) => {
    void handle(request, response, answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  issuer = `${host}/oidc`;
  return {
    host,
    issuer,
    keySetUrl: `${issuer}/.well-known/jwks.json`,
    appId: APP_ID,
    codes,
    calls,
    settings,
    idToken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: IncomingMessage, body: Wire) => Promise<object>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  // CORS headers of a provider on another origin (its preflights name these headers).
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, x-authing-app-id, x-authing-lang, x-authing-request-from, x-authing-sdk-version',
  );
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const text = Buffer.concat(chunks).toString();
  const body = text === '' ? {} : (JSON.parse(text) as Wire);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(await answer(request, body)));
}
