import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';

let identity: IdentityServer;
beforeAll(async () => {
  identity = await startIdentityServer();
});
afterAll(() => identity[Symbol.asyncDispose]());

const POOL = 'AWSCognitoIdentityProviderService';
const IDENTITY = 'AWSCognitoIdentityService';
const TARGETS = [
  ...[`${POOL}.InitiateAuth`, `${POOL}.RespondToAuthChallenge`, `${POOL}.GetUser`],
  ...[`${POOL}.RevokeToken`, `${POOL}.GlobalSignOut`, `${POOL}.AdminCreateUser`],
  ...[`${POOL}.ListUsers`, `${POOL}.GetTokensFromRefreshToken`, `${POOL}.AdminGetUser`],
  ...[`${IDENTITY}.GetId`, `${IDENTITY}.GetCredentialsForIdentity`, 'x', ''],
];
const TEXTS = ['\0', 'a\0b', '\uD800', 'a\uD800b', '9'.repeat(400), '../..', '{"a":"\\u0000"}'];
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** A call's parameters, each of them this value. */
const inputOf = (value: unknown): string =>
  JSON.stringify({
    ...{ AuthFlow: 'CUSTOM_AUTH', ClientId: 'deviceportalweb', ChallengeName: 'CUSTOM_CHALLENGE' },
    ...{ AuthParameters: { USERNAME: value, REFRESH_TOKEN: value, SECRET_HASH: value } },
    ...{ ChallengeResponses: { USERNAME: value, ANSWER: value }, ClientMetadata: { a: value } },
    ...{ Session: value, AccessToken: value, Token: value, RefreshToken: value, Username: value },
    ...{ IdentityPoolId: value, IdentityId: value, Logins: { a: value }, UserPoolId: value },
    ...{ Filter: value, PaginationToken: value, Limit: 9e15 },
  });
const BODIES = [
  ...['', 'null', '[]', '7', '{', '{"__proto__":{}}', deep(50_000), `{"Session":${deep(50_000)}}`],
  ...[`{"AuthParameters":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
  ...[...TEXTS, 7, null, [], {}, 1e300, { length: { toString: 1, valueOf: 2 } }].map(inputOf),
  ...['USER_SRP_AUTH', 'REFRESH_TOKEN_AUTH', 'USER_PASSWORD_AUTH', '\0'].map((flow) =>
    inputOf('a\0b').replace('CUSTOM_AUTH', JSON.stringify(flow).slice(1, -1)),
  ),
];

test('no operation of user pool and identity pool fails on a malformed body', async () => {
  const failed: string[] = [];
  for (const target of TARGETS) {
    for (const body of BODIES) {
      const reply = await fetch(identity.endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
        body,
      });
      if (reply.status >= 500) failed.push(`${target} ${body.slice(0, 200)}: ${reply.status}`);
    }
  }
  expect(failed).toEqual([]);
  expect(identity.failures).toEqual([]);
});

test('role sessions do not fail on a malformed form', async () => {
  const names = ['Action', 'Version', 'RoleArn', 'RoleSessionName', 'Policy', 'ExternalId'];
  for (const value of TEXTS) {
    for (const authorization of [
      '',
      `AWS4-HMAC-SHA256 Credential=${value.replaceAll(/[^ -~]/g, '')}`,
    ]) {
      const reply = await fetch(identity.endpoint, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams(Object.fromEntries(names.map((name) => [name, value]))),
      });
      expect(reply.status).toBeLessThan(500);
    }
  }
  expect(identity.failures).toEqual([]);
});
