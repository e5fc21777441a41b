import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENROLLMENT_QUOTA } from '@deviceportal/contract/device-limits';
import { addEnrollmentRoute } from '../../../src/gateway/enrollment-route.ts';
import { createLocalChangeFeed } from '../../../src/platform/change-feed.ts';
import {
  createRequest,
  openGatewayFixture,
  type GatewayFixture,
} from '../../support/gateway-fixture.ts';
import { testDeviceKeys } from '../../support/run-signing.ts';
import { testConnection } from '../../support/brokers/test-connection.ts';

let setup: GatewayFixture;
let request: string;
/** Two servers of one database. */
const servers = [fastify(), fastify()] as const;
beforeAll(async () => {
  setup = await openGatewayFixture();
  ({ request } = await createRequest());
  for (const server of servers) {
    server.setErrorHandler((_error, _request, reply) => reply.code(403).send({}));
    addEnrollmentRoute(server, {
      ...setup,
      changes: createLocalChangeFeed(() => {}),
      clock: () => new Date(),
      deviceKeys: testDeviceKeys(),
      addressKeys,
      connection: testConnection('mqtts://localhost'),
    });
  }
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await setup[Symbol.asyncDispose]();
});

const addressKeys = new Uint8Array(32).fill(7);
const send = async (server: 0 | 1, remoteAddress: string, payload: object): Promise<number> =>
  (await servers[server].inject({ method: 'POST', url: '/enrol', payload, remoteAddress }))
    .statusCode;
const tryFrom = (address: string): Promise<number> => send(0, address, {});
const guessFrom = (server: 0 | 1, address: string): Promise<number> =>
  send(server, address, {
    claimToken: 'a'.repeat(43),
    certificateRequest: request,
    ...{ serialNumber: 'GUESS-1', model: 'kiosk', hostName: 'host', platformType: 'Linux' },
    ...{ platformName: 'Ubuntu', platformVersion: '24.04', architecture: 'x64' },
    agentVersion: '1.0.0',
  });

test('an IPv6 subscriber cannot guess claims without limit by changing addresses; others are served', async () => {
  const codes: number[] = [];
  for (let turn = 0; turn < ENROLLMENT_QUOTA.burst + 100; turn += 1)
    codes.push(await tryFrom(`2001:db8:1:1::${turn.toString(16)}`));
  expect(codes[0]).toBe(403);
  expect(codes.at(-1)).toBe(429);
  expect(await tryFrom('2001:db8:1:2::1')).toBe(403);
});

test('wrong claims of an address are counted by all servers together, and its address is not stored', async () => {
  const codes: number[] = [];
  for (let turn = 0; turn < 24; turn += 1) {
    codes.push(await guessFrom((turn % 2) as 0 | 1, '192.0.2.7'));
  }
  expect(codes).toEqual([...Array(20).fill(403), ...Array(4).fill(429)]);
  expect(await guessFrom(1, '192.0.2.8')).toBe(403);
  const { rows } = await setup.database.pool.query('select * from wrong_claim_count');
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain('192.0.2');
});

test('after ten minutes an address can try again, and the rows of others are removed', async () => {
  await setup.database.pool.query(
    "update wrong_claim_count set until = now() - interval '1 second'",
  );
  expect(await guessFrom(0, '192.0.2.7')).toBe(403);
  const { rows } = await setup.database.pool.query('select count from wrong_claim_count');
  expect(rows).toEqual([{ count: 1 }]);
});
