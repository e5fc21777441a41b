import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerOutboxRoutes } from '../../src/outbox/outbox-routes.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';

let db: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  db = await createTestDatabase();
  app = fastify({ trustProxy: true });
  registerOutboxRoutes(app, { database: db.database });
});
afterAll(async () => {
  await app.close();
  await db[Symbol.asyncDispose]();
});

async function statusFor(
  headers: Readonly<Record<string, string>>,
  remoteAddress = '127.0.0.1',
): Promise<number> {
  const reply = await app.inject({ url: '/outbox/messages', headers, remoteAddress });
  return reply.statusCode;
}

describe('sign-in codes in the outbox', () => {
  test('[outbox-1] are for the person in front of this machine', async () => {
    expect(await statusFor({ host: 'localhost:8080' })).toBe(200);
    expect(await statusFor({ host: '127.0.0.1:8080' })).toBe(200);
    expect(await statusFor({ host: '[::1]:8080' }, '::1')).toBe(200);
    expect(await statusFor({ host: 'localhost' }, '192.0.2.7')).toBe(404);
  });

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    '[outbox-2] are not for whom a proxy on this machine lets in (%s)',
    async (header) => {
      expect(await statusFor({ host: 'localhost', [header]: '127.0.0.1' })).toBe(404);
    },
  );

  test('[outbox-3] are not for a page whose name was made to point here', async () => {
    expect(await statusFor({ host: 'evil.example' })).toBe(404);
    expect(await statusFor({ host: 'localhost.evil.example' })).toBe(404);
  });
});
