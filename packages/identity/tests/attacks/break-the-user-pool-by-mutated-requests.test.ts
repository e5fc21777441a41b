import { randomUUID } from 'node:crypto';
import { GetCredentialsForIdentityCommand, GetIdCommand } from '@aws-sdk/client-cognito-identity';
import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminUpdateUserAttributesCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  ListUsersCommand,
  RevokeTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExchangeAnswer } from '../../../../apps/server/tests/support/exchanges/exchange.ts';
import { heapAfterCollection } from '../../../../apps/server/tests/support/exchanges/heap-after-collection.ts';
import { playMutated } from '../../../../apps/server/tests/support/exchanges/play-exchanges.ts';
import { recordExchanges } from '../../../../apps/server/tests/support/exchanges/record-exchanges.ts';
import { oddValue, withOddity } from '../../../../apps/server/tests/support/odd-values.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { loginsOf, newAccessKey, signedPoolClient, stsClient } from '../support/signed-clients.ts';
import { clientId, identityPoolClient, signIn, userPoolClient } from '../support/wire-clients.ts';

const isThorough = process.env['DEVICEPORTAL_TEST_THOROUGH'] === 'true';
const JOURNEYS = isThorough ? 3 : 1;
const INPUTS_EACH = isThorough ? 3_000 : 300;
const SIGNED_INPUTS = isThorough ? 2_000 : 200;
const MIB = 1024 * 1024;
const UserPoolId = 'us-east-1_DevicePortal';

let server: IdentityServer;
beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
});
afterAll(() => server[Symbol.asyncDispose]());

async function newPerson() {
  const username = `p${randomUUID().slice(0, 8)}`;
  const person = { username, email: `${username}@corp.example` };
  await server.service.users.createUser({ ...person, name: 'Person' });
  return person;
}

/** A person signs in and out, by unchanged clients. */
async function travel(): Promise<void> {
  const { AccessToken, IdToken, RefreshToken } = await signIn(server, await newPerson());
  const pool = userPoolClient(server);
  await pool.send(new GetUserCommand({ AccessToken }));
  await pool.send(
    new GetTokensFromRefreshTokenCommand({ ClientId: clientId(server), RefreshToken }),
  );
  const identities = identityPoolClient(server);
  const Logins = loginsOf(server, IdToken);
  const { identityPoolId: IdentityPoolId } = server.service.settings;
  const { IdentityId } = await identities.send(new GetIdCommand({ IdentityPoolId, Logins }));
  await identities.send(new GetCredentialsForIdentityCommand({ IdentityId, Logins }));
  const sts = stsClient(server, await newAccessKey(server));
  await sts.send(new GetCallerIdentityCommand({}));
  const RoleArn = 'arn:aws:iam::000000000000:role/deviceportal/Nothing';
  await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'x' })).catch(() => {});
  await pool.send(new RevokeTokenCommand({ ClientId: clientId(server), Token: RefreshToken }));
}

function faultOf({ status, text }: ExchangeAnswer): string | null {
  const isFault = status >= 500 || /\n {4}at /.test(text);
  return isFault ? `${status} ${text.slice(0, 300)}` : null;
}

test(
  'mutated requests of real clients to user pool, identity pool, and role sessions do not cause a failure',
  async () => {
    const port = Number(new URL(server.endpoint).port);
    const heaps: number[] = [];
    for (let journey = 0; journey < JOURNEYS; journey += 1) {
      const exchanges = await recordExchanges(port, travel);
      expect(exchanges.length).toBeGreaterThan(8);
      expect(await playMutated({ port, exchanges, inputs: INPUTS_EACH, faultOf })).toEqual([]);
      expect(server.failures).toEqual([]);
      heaps.push(heapAfterCollection());
    }
    expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(64 * MIB);
    await travel();
  },
  isThorough ? 600_000 : 60_000,
);

test(
  'an administrator cannot cause a failure of the user pool by signed requests',
  async () => {
    const { username: Username } = await newPerson();
    const client = signedPoolClient(server, await newAccessKey(server));
    const UserAttributes = [{ Name: 'given_name', Value: 'Ann' }];
    const Limit = 10;
    const calls = [
      () => new AdminGetUserCommand({ UserPoolId, Username }),
      () => new ListUsersCommand({ UserPoolId, Limit, Filter: 'email ^= "a"' }),
      () => new AdminUpdateUserAttributesCommand({ UserPoolId, Username, UserAttributes }),
      () => new AdminCreateUserCommand({ UserPoolId, Username: 'another', UserAttributes }),
    ];
    const statuses = new Set<number>();
    client.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { body: Uint8Array };
        const input: unknown = JSON.parse(Buffer.from(request.body).toString());
        const [changed] = fc.sample(withOddity(input, oddValue), 1);
        request.body = Buffer.from(JSON.stringify(changed));
        return next(args);
      },
      { step: 'serialize', priority: 'low', name: 'oddity' },
    );
    for (let sent = 0; sent < SIGNED_INPUTS; sent += 1) {
      const command = calls[sent % calls.length] as (typeof calls)[number];
      const status = await client.send(command() as ListUsersCommand).then(
        () => 200,
        (error: { $metadata?: { httpStatusCode?: number } }) =>
          error.$metadata?.httpStatusCode ?? 0,
      );
      statuses.add(status);
    }
    expect(server.failures).toEqual([]);
    expect([...statuses].toSorted()).toEqual([200, 400]);
  },
  isThorough ? 300_000 : 60_000,
);
