import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { openCertificateAuthority } from '../../src/gateway/certificates/certificate-authority.ts';
import type { ConnectRequest, Refusal } from '../../src/gateway/device-transport.ts';
import { AdmissionDesk } from '../../src/gateway/nats/admission-desk.ts';
import { signerOf, type NatsSigner } from '../../src/gateway/nats/nats-keys.ts';
import { readToken, signToken } from '../../src/gateway/nats/nats-tokens.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { createRequest, quietLogger } from '../support/gateway-fixture.ts';

const newSigner = (type: 'account' | 'server' | 'user'): NatsSigner =>
  signerOf(randomBytes(32), type);
const issuer = newSigner('account');
const server = newSigner('server');
const user = newSigner('user');
const deviceId = newId();
const soon = Math.floor(Date.now() / 1_000) + 60;

const resources = new AsyncDisposableStack();
let certificate: string;
const asked: ConnectRequest[] = [];
const refusals: Refusal[] = [];
let admit: () => Promise<boolean[]> = async () => [true];

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dp-admission-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const authority = await openCertificateAuthority({
    store: createFileSecrets(directory),
    hosts: [],
  });
  const { request } = await createRequest();
  ({ certificate } = await authority.sign(request, { deviceId, instanceId: 'mi-1' }));
});
afterAll(() => resources.disposeAsync());

const desk = resources.use(
  new AdmissionDesk({
    signer: issuer,
    maxMessageBytes: 1_000,
    logger: quietLogger,
    handlers: () => ({
      admit: (requests) => (asked.push(...requests), admit()),
      refused: (list) => void refusals.push(...list),
    }),
  }),
);

/** A request as a server of NATS writes it. */
const requestOf = (over: Readonly<Record<string, unknown>> = {}) => ({
  ...{ aud: 'nats-authorization-request', sub: issuer.name, exp: soon },
  nats: {
    ...{ type: 'authorization_request', version: 2 },
    server_id: { name: 'one', host: '127.0.0.1', id: server.name },
    user_nkey: user.name,
    client_info: { host: '10.1.2.3', id: 7, kind: 'Client', type: 'mqtt', mqtt_id: deviceId },
    connect_opts: { protocol: 0 },
    client_tls: { version: '1.3', verified_chains: [[certificate]] },
    ...over,
  },
});

const ask = async (request: ReturnType<typeof requestOf>, signer = server) => {
  asked.length = 0;
  return desk.answer(signToken(signer, request));
};

/** The answer, and the token of the user in it. */
const openAnswer = (answer: string | undefined) => {
  const claims = readToken(answer ?? '', 'account') as {
    aud: string;
    sub: string;
    nats: { jwt?: string; error?: string };
  };
  const { jwt, error } = claims.nats;
  return { claims, error, user: jwt === undefined ? undefined : readToken(jwt, 'account') };
};

describe('a device about which NATS asks', () => {
  test('gets its own topics for this connection, until its certificate ends', async () => {
    const { claims, user: token } = openAnswer(await ask(requestOf()));
    expect(asked).toMatchObject([{ deviceId, instanceId: 'mi-1', address: '10.1.2.3' }]);
    expect(claims).toMatchObject({ iss: issuer.name, sub: user.name, aud: server.name });
    expect(token).toMatchObject({
      ...{ iss: issuer.name, sub: user.name, aud: 'DEVICES', name: deviceId },
      exp: Math.floor(Date.parse(asked[0]?.certificateEndsAt ?? '') / 1_000),
      nats: {
        pub: { allow: [`deviceportal.devices.${deviceId}.up.*`] },
        sub: { allow: [`deviceportal.devices.${deviceId}.down.*`] },
        allowed_connection_types: ['MQTT'],
      },
    });
  });

  test('is refused when the gateway refuses it, and later when it cannot be checked', async () => {
    admit = async () => [false];
    expect(openAnswer(await ask(requestOf()))).toMatchObject({ error: 'refused', user: undefined });
    admit = () => Promise.reject(new Error('no database'));
    expect(openAnswer(await ask(requestOf()))).toMatchObject({ error: 'later', user: undefined });
    admit = async () => [true];
  });

  test.each([
    ['that speaks the protocol of NATS', { client_info: { type: 'nats', mqtt_id: deviceId } }],
    ['without TLS', { client_tls: undefined }],
    ['whose certificate was not verified', { client_tls: { certs: ['x'] } }],
    ['without certificate', { client_tls: { verified_chains: [] } }],
  ])('is refused: one %s', async (_case, over) => {
    expect(openAnswer(await ask(requestOf(over)))).toMatchObject({
      error: 'no device certificate',
    });
    expect(asked).toEqual([]);
  });

  test('is refused and recorded with the client ID of another, whose session it would end', async () => {
    const client_info = { host: '10.1.2.3', type: 'mqtt', mqtt_id: newId() };
    const answer = openAnswer(await ask(requestOf({ client_info })));
    expect(answer).toMatchObject({ error: 'wrong client ID', user: undefined });
    expect(refusals).toEqual([{ deviceId, address: '10.1.2.3', reason: 'wrong-client-id' }]);
    expect(asked).toEqual([]);
  });
});

describe('a forged request is not answered', () => {
  test.each([
    ['of a server with the name of another', () => signToken(newSigner('server'), requestOf())],
    ['that a user has signed', () => signToken(user, requestOf())],
    ['that has been changed', () => signToken(server, requestOf()).replace(/^(.{80})./, '$1_')],
    ['that has expired', () => signToken(server, { ...requestOf(), exp: soon - 3_600 })],
    ['for another purpose', () => signToken(server, { ...requestOf(), aud: 'other' })],
    ['that is no request', () => signToken(server, { aud: 'nats-authorization-request' })],
    ['that is no token', () => '{}'],
    ['without a signature', () => signToken(server, requestOf()).replace(/[^.]+$/, '')],
  ])('%s', async (_case, forge) => {
    asked.length = 0;
    expect(await desk.answer(forge())).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
