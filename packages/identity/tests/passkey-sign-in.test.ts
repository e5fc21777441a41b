import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { PasskeyCaller } from '../src/passkeys/passkeys.ts';
import { answer, callPool, start, type PoolReply } from './support/direct-client.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { otherCode } from './support/wire-clients.ts';
import {
  createSoftwareAuthenticator,
  type Deviation,
  type SoftwareAuthenticator,
} from './support/software-authenticator.ts';

const ORIGIN = 'https://portal.example';
const INCORRECT = {
  __type: 'NotAuthorizedException',
  message: 'Incorrect username or password.',
};

let server: IdentityServer;
let anna: PasskeyCaller;
let email: string;
let username: string;
let authenticator: SoftwareAuthenticator;
let recoveryCodes: readonly string[] = [];
let people = 0;

beforeAll(async () => {
  server = await startIdentityServer({
    settings: { limits: 'off', issuer: `${ORIGIN}/identity/us-east-1_DevicePortal` },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

beforeEach(async () => {
  people += 1;
  username = `anna-${people}`;
  email = `${username}@corp.example`;
  const { sub } = await server.service.users.createUser({ username, email, name: 'Anna' });
  const account = { contact: undefined, locale: undefined, timeZone: undefined };
  anna = { address: '192.0.2.1', owner: { id: sub, username, ...account } };
  authenticator = createSoftwareAuthenticator(ORIGIN);
  recoveryCodes = await register(authenticator);
});

async function register(device: SoftwareAuthenticator): Promise<readonly string[]> {
  const { passkeys } = server.service;
  const options = await passkeys.beginRegistration(anna, { name: username, displayName: 'Anna' });
  return (await passkeys.finishRegistration(anna, device.create(options))).recoveryCodes ?? [];
}

/** The reply after the code. */
async function enterCode(): Promise<PoolReply> {
  const { Session: session } = await start(server, username);
  return answer(server, { username, session, code: server.codeFor(email) });
}

function optionsOf(reply: PoolReply): PublicKeyCredentialRequestOptionsJSON {
  const { options, CREDENTIAL_REQUEST_OPTIONS: request } = reply.ChallengeParameters ?? {};
  return JSON.parse(options ?? request ?? '') as PublicKeyCredentialRequestOptionsJSON;
}

const answerWith = (asked: PoolReply, text: string): Promise<PoolReply> =>
  answer(server, { username, session: asked.Session, code: text });

const prove = (asked: PoolReply, deviation?: Deviation): Promise<PoolReply> =>
  answerWith(asked, JSON.stringify(authenticator.get(optionsOf(asked), deviation)));

describe('a passkey after the code', () => {
  test('a user with a passkey gets tokens only with it', async () => {
    const asked = await enterCode();
    expect(asked).toMatchObject({
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeParameters: { type: 'PASSKEY', attemptsLeft: '3' },
    });
    expect(asked.AuthenticationResult).toBeUndefined();
    expect((await prove(asked)).AuthenticationResult).toBeDefined();
  });

  test('the passkey is asked for only after the correct code', async () => {
    const { Session: session } = await start(server, username);
    const code = otherCode(server.codeFor(email));
    const reply = await answer(server, { username, session, code });
    expect(reply.ChallengeParameters?.['type']).toBeUndefined();
  });

  test('after three wrong answers, the sign-in ends', async () => {
    let asked = await enterCode();
    asked = await prove(asked, { origin: 'https://evil.example' });
    expect(asked.ChallengeParameters).toMatchObject({ type: 'PASSKEY', attemptsLeft: '2' });
    asked = await answerWith(asked, 'not a recovery code');
    expect(asked.ChallengeParameters).toMatchObject({ attemptsLeft: '1' });
    expect(await answerWith(asked, '{')).toMatchObject(INCORRECT);
  });

  test('a recovery code replaces the passkey once', async () => {
    const [code = ''] = recoveryCodes;
    expect((await answerWith(await enterCode(), code)).AuthenticationResult).toBeDefined();
    expect((await answerWith(await enterCode(), code)).AuthenticationResult).toBeUndefined();
  });

  test('the code does not count as the passkey, and a request for another code neither', async () => {
    const asked = await enterCode();
    const again = await answerWith(asked, server.codeFor(email));
    expect(again.ChallengeParameters).toMatchObject({ type: 'PASSKEY' });
    const metadata = { resend: 'true' };
    const resent = await answer(server, {
      ...{ username, session: again.Session, code: 'x', metadata },
    });
    expect(resent.ChallengeParameters).toMatchObject({ type: 'PASSKEY', attemptsLeft: '1' });
  });

  test('another app client is asked for the code alone', async () => {
    const client = { clientId: 'anotherclient', name: 'Another client' };
    await server.service.clients.saveClient({ ...client, userExistenceErrors: 'LEGACY' });
    const ClientId = client.clientId;
    const begun = await callPool(server, 'InitiateAuth', {
      ...{ ClientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: username } },
    });
    const reply = await callPool(server, 'RespondToAuthChallenge', {
      ...{ ClientId, ChallengeName: 'CUSTOM_CHALLENGE', Session: begun.Session },
      ChallengeResponses: { USERNAME: username, ANSWER: server.codeFor(email) },
    });
    expect(reply.AuthenticationResult).toBeDefined();
  });
});

describe('a passkey in place of the code', () => {
  const begin = (name = '*'): Promise<PoolReply> =>
    callPool(server, 'InitiateAuth', {
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: name, PREFERRED_CHALLENGE: 'WEB_AUTHN' },
    });
  const finish = (begun: PoolReply, credential: object, name = '*'): Promise<PoolReply> =>
    callPool(server, 'RespondToAuthChallenge', {
      ...{ ChallengeName: 'WEB_AUTHN', Session: begun.Session },
      ChallengeResponses: { USERNAME: name, CREDENTIAL: JSON.stringify(credential) },
    });
  const signIn = async (name = '*'): Promise<PoolReply> => {
    const begun = await begin(name);
    return finish(begun, authenticator.get(optionsOf(begun)), name);
  };
  const optIn = (): Promise<void> => server.service.passkeys.setSignsIn(anna, true);

  test('a user who chose it signs in without a code, with or without a name', async () => {
    await optIn();
    expect((await signIn()).AuthenticationResult).toBeDefined();
    expect((await signIn(email)).AuthenticationResult).toBeDefined();
    expect(server.events.at(-1)).toMatchObject({ kind: 'signedIn', detail: 'passkey' });
  });

  test('a user who did not choose it is rejected', async () => {
    expect(await signIn()).toMatchObject(INCORRECT);
  });

  test('the reply to a name does not reveal whether it has a passkey', async () => {
    await optIn();
    const replies = await Promise.all([begin(username), begin('nobody-here')]);
    const shapes = replies.map((reply) => ({
      ...optionsOf(reply),
      challenge: optionsOf(reply).challenge.length,
      parameters: Object.keys(reply.ChallengeParameters ?? {}),
    }));
    expect(shapes[0]).toEqual(shapes[1]);
    expect(shapes[0]).toMatchObject({ allowCredentials: [], userVerification: 'required' });
  });

  test('an attacker cannot sign in as another user with their own passkey', async () => {
    await optIn();
    await server.service.users.createUser({
      ...{ username: `bob-${people}`, email: `bob-${people}@corp.example`, name: 'Bob' },
    });
    expect(await signIn(`bob-${people}`)).toMatchObject(INCORRECT);
  });

  test('an attacker cannot replay a credential in the same or another session', async () => {
    await optIn();
    const begun = await begin();
    const credential = authenticator.get(optionsOf(begun));
    await finish(begun, credential);
    expect(await finish(begun, credential)).toMatchObject({ __type: 'NotAuthorizedException' });
    expect(await finish(await begin(), credential)).toMatchObject(INCORRECT);
  });

  test('an attacker cannot answer with a session of another challenge', async () => {
    await optIn();
    const begun = await begin();
    const code = await start(server, username);
    const credential = authenticator.get(optionsOf(begun));
    expect(await finish(code, credential, username)).toMatchObject({
      message: 'Invalid session for the user.',
    });
    const reply = await answer(server, { username: '*', session: begun.Session, code: '000000' });
    expect(reply).toMatchObject({ message: 'Invalid session for the user.' });
  });

  test('a disabled user cannot sign in', async () => {
    await optIn();
    await server.service.users.disableUser(anna.owner.id);
    expect(await signIn()).toMatchObject({ message: 'User is disabled.' });
  });

  test('a passkey of a user who signs in elsewhere is rejected', async () => {
    const outside = { ...anna, owner: { ...anna.owner, id: 'google_117' } };
    const device = createSoftwareAuthenticator(ORIGIN);
    const { passkeys } = server.service;
    const options = await passkeys.beginRegistration(outside, { name: 'a', displayName: 'A' });
    await passkeys.finishRegistration(outside, device.create(options));
    await passkeys.setSignsIn(outside, true);
    const begun = await begin();
    expect(await finish(begun, device.get(optionsOf(begun)))).toMatchObject(INCORRECT);
  });

  test('USER_AUTH is offered for passkeys only', async () => {
    const reply = await callPool(server, 'InitiateAuth', {
      ...{ AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME: username } },
    });
    expect(reply).toMatchObject({ __type: 'InvalidParameterException' });
  });
});
