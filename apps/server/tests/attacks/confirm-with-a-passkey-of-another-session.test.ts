import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StepUpOffers } from '@deviceportal/contract/step-up';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../../../packages/identity/tests/support/software-authenticator.ts';
import { mutate, query, type ApiAnswer } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

type Creation = Parameters<SoftwareAuthenticator['create']>[0];
interface Begun {
  readonly options: Parameters<SoftwareAuthenticator['get']>[0];
  readonly binding: string;
}

let portal: TestServer;
let authenticator: SoftwareAuthenticator;
/** Of sign-ins before the passkey was added, because later ones require it. */
const sessions: string[] = [];
let token: string;
beforeAll(async () => {
  portal = await startTestServer();
  for (let count = 0; count < 8; count += 1) sessions.push(await portal.signIn('admin'));
  authenticator = await addPasskey(sessions.pop() ?? '');
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(() => {
  token = sessions.pop() ?? '';
});

const call = (bearer: string, path: string, input?: unknown): Promise<ApiAnswer> =>
  mutate(portal.url, { path, input, token: bearer, confirms: false });

async function addPasskey(bearer: string): Promise<SoftwareAuthenticator> {
  const added = createSoftwareAuthenticator(portal.url);
  const options = (await call(bearer, 'passkeys.begin')).data as Creation;
  const credential = added.create(options);
  expect(await call(bearer, 'passkeys.add', { credential })).toMatchObject({ status: 200 });
  return added;
}

const begin = async (bearer: string): Promise<Begun> =>
  (await call(bearer, 'stepUp.beginPasskey')).data as Begun;
const confirm = (bearer: string, credential: object, binding: string): Promise<ApiAnswer> =>
  call(bearer, 'stepUp.confirmByPasskey', { credential, binding });
const refused = { code: 3001, reason: 'step-up-passkey-refused' };
const erase = (bearer: string): Promise<ApiAnswer> => call(bearer, 'personalData.exportOwn');

test('a passkey confirms the session, and codes no longer do', async () => {
  const offers = (await query(portal.url, { path: 'stepUp.getOffers', token })).data;
  expect((offers as StepUpOffers).methods).toEqual([{ method: 'passkey', destination: null }]);
  expect(await call(token, 'stepUp.sendCode', { channel: 'email' })).toMatchObject({
    reason: 'step-up-method-unavailable',
  });
  expect(await erase(token)).toMatchObject({ reason: 'step-up-required' });
  const { options, binding } = await begin(token);
  expect(await confirm(token, authenticator.get(options), binding)).toMatchObject({ status: 200 });
  expect(await erase(token)).toMatchObject({ status: 200 });
});

test('a signature confirms nothing in another session, and counts once', async () => {
  const { options, binding } = await begin(token);
  const credential = authenticator.get(options);
  const other = sessions.pop() ?? '';
  const others = await begin(other);
  expect(await confirm(other, credential, binding)).toMatchObject(refused);
  expect(await confirm(other, credential, others.binding)).toMatchObject(refused);
  expect(await erase(other)).toMatchObject({ reason: 'step-up-required' });
  expect(await confirm(token, credential, binding)).toMatchObject({ status: 200 });
  expect(await confirm(token, credential, binding)).toMatchObject(refused);
});

test('the passkey of another user, or of another website, confirms nothing', async () => {
  const operators = await addPasskey(await portal.signIn('operator'));
  const first = await begin(token);
  expect(await confirm(token, operators.get(first.options), first.binding)).toMatchObject(refused);
  const second = await begin(token);
  const phished = authenticator.get(second.options, { origin: 'https://evil.example' });
  expect(await confirm(token, phished, second.binding)).toMatchObject(refused);
  expect(await confirm(token, {}, '')).toMatchObject(refused);
  expect(await erase(token)).toMatchObject({ reason: 'step-up-required' });
});
