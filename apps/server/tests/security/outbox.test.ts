import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleKinds, sampleMessage } from '../../src/messages/sample-messages.ts';
import { createOutboxEvents } from '../../src/outbox/outbox-events.ts';
import { createOutboxMessenger } from '../../src/outbox/outbox-messenger.ts';
import { registerOutboxRoutes } from '../../src/outbox/outbox-routes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  db = await createTestDatabase();
  app = fastify({ trustProxy: true });
  registerOutboxRoutes(app, {
    database: db.database,
    clock: () => new Date(),
    outboxEvents: createOutboxEvents(),
    hasTemplates: true,
  });
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

describe('the outbox page', () => {
  const get = async (url: string, on = app) =>
    on.inject({ url, headers: { host: 'localhost' }, remoteAddress: '127.0.0.1' });

  test.each(sampleKinds)(
    '[outbox-4] the template %s can be looked at in every form',
    async (kind) => {
      for (const language of ['en', 'zh-CN']) {
        const mail = await get(`/outbox/templates/${kind}/mail?language=${language}`);
        expect(mail.body).toContain(`<html lang="${language}">`);
        expect(mail.headers['content-security-policy']).toContain("default-src 'none'");
        for (const channel of ['email', 'sms']) {
          const page = await get(
            `/outbox/templates/${kind}?language=${language}&channel=${channel}`,
          );
          expect(page.statusCode).toBe(200);
        }
      }
    },
  );

  test('[outbox-5] a message shows its code, and nobody can write markup into the page', async () => {
    const messenger = createOutboxMessenger(
      { database: db.database, clock: () => new Date(), completeReader: async (one) => one },
      () => {},
    );
    await messenger.send({
      kind: 'welcome',
      to: '<img src=x>@example.com',
      channel: 'email',
      username: '<script>',
      portalUrl: 'http://localhost',
    });
    await messenger.send({
      ...sampleMessage('login', { language: 'en', channel: 'sms', at: new Date() }),
      to: '+48123456789',
    });
    const { body } = await get('/outbox');
    expect(body).toContain('data-code="123456"');
    expect(body).not.toMatch(/<img|<script>/);
    const [newest] = (await get('/outbox/messages?to=%2B48123456789')).json<object[]>();
    expect(newest).toMatchObject({ to: '+48123456789', channel: 'sms', code: '123456' });
  });

  test('[outbox-6] production has no templates', async () => {
    const production = fastify();
    registerOutboxRoutes(production, {
      database: db.database,
      clock: () => new Date(),
      outboxEvents: createOutboxEvents(),
      hasTemplates: false,
    });
    expect((await get('/outbox/templates', production)).statusCode).toBe(404);
    expect((await get('/outbox', production)).body).not.toContain('/outbox/templates');
    await production.close();
  });
});
