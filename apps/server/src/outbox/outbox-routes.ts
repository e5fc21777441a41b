import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { messageLanguages } from '../messages/message-words.ts';
import { renderMessage } from '../messages/render-message.ts';
import { sampleKinds, sampleMessage } from '../messages/sample-messages.ts';
import type { Database } from '../platform/database/database.ts';
import { isAtThisMachine } from '../platform/http/at-this-machine.ts';
import { parseInput } from '../platform/http/parse-input.ts';
import type { OutboxEvents } from './outbox-events.ts';
import { findOutboxMail, findOutboxMessages } from './data/outbox-queries.ts';
import { outboxPage, templatePage, templatesPage } from './outbox-page.ts';

const querySchema = z.object({ to: z.string().max(256).optional() });
const mailSchema = z.object({ id: z.uuid() });
const templateSchema = z.object({ kind: z.enum(sampleKinds) });
const templateFormSchema = z.object({
  language: z.enum(messageLanguages).default('en'),
  channel: z.enum(['email', 'sms']).default('email'),
});

/** An email contains its own styles and nothing else; the outbox may show it in a frame. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups";
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const KEEP_ALIVE_MS = 20_000;

export interface OutboxRoutesDependencies {
  readonly database: Database;
  readonly clock: () => Date;
  readonly outboxEvents: OutboxEvents;
  /** Whether the templates can be viewed; in development only. */
  readonly hasTemplates: boolean;
}

/** `/outbox` as a page and `/outbox/messages?to=` as JSON: only with the embedded messenger, only on loopback. */
export function registerOutboxRoutes(
  app: FastifyInstance,
  dependencies: OutboxRoutesDependencies,
): void {
  app.register(async (outbox) => {
    outbox.addHook('onRequest', async (request, reply) => {
      // Sign-in codes must be visible only on this machine.
      if (!isAtThisMachine(request)) return reply.code(404).send();
      reply.header('cache-control', 'no-store');
    });
    addMessages(outbox, dependencies);
    if (dependencies.hasTemplates) addTemplates(outbox, dependencies);
    await addFiles(outbox);
    addEvents(outbox, dependencies);
  });
}

function addMessages(
  outbox: FastifyInstance,
  { database, hasTemplates }: OutboxRoutesDependencies,
): void {
  outbox.get('/outbox/messages', async (request) => {
    const { to } = parseInput(querySchema, request.query);
    return findOutboxMessages(database.orm, to);
  });
  outbox.get('/outbox', async (request, reply) => {
    const { to } = parseInput(querySchema, request.query);
    return sendPage(
      reply,
      outboxPage(await findOutboxMessages(database.orm, undefined), { to, hasTemplates }),
    );
  });
  outbox.get('/outbox/messages/:id/mail', async (request, reply) => {
    const { id } = parseInput(mailSchema, request.params);
    const html = await findOutboxMail(database.orm, id);
    return html === undefined ? reply.code(404).send() : sendMail(reply, html);
  });
}

/** Registers a gallery of every template, for review in development. */
function addTemplates(
  outbox: FastifyInstance,
  { clock }: Pick<OutboxRoutesDependencies, 'clock'>,
): void {
  const render = (request: FastifyRequest) => {
    const { kind } = parseInput(templateSchema, request.params);
    const form = parseInput(templateFormSchema, request.query);
    return { kind, ...form, message: renderMessage(sampleMessage(kind, { ...form, at: clock() })) };
  };
  outbox.get('/outbox/templates', async (_request, reply) => sendPage(reply, templatesPage()));
  outbox.get('/outbox/templates/:kind', async (request, reply) => {
    const { kind, language, message } = render(request);
    const mailUrl = message.html && `/outbox/templates/${kind}/mail?language=${language}`;
    return sendPage(reply, templatePage({ kind, language, message, mailUrl }));
  });
  outbox.get('/outbox/templates/:kind/mail', async (request, reply) =>
    sendMail(reply, render(request).message.html ?? ''),
  );
}

async function addFiles(outbox: FastifyInstance): Promise<void> {
  const files = { 'outbox.css': 'text/css', 'outbox.js': 'text/javascript' };
  for (const [name, type] of Object.entries(files)) {
    const content = await readFile(new URL(`./page/${name}`, import.meta.url));
    outbox.get(`/outbox/${name}`, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).send(content),
    );
  }
}

/** Server-sent events: an empty one for each message. */
function addEvents(
  outbox: FastifyInstance,
  { outboxEvents }: Pick<OutboxRoutesDependencies, 'outboxEvents'>,
): void {
  const open = new Set<() => void>();
  outbox.addHook('preClose', async () => {
    for (const end of open) end();
  });
  outbox.get('/outbox/events', (request, reply) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    raw.write(':\n\n');
    const stop = outboxEvents.listen(() => raw.write('data: message\n\n'));
    const keepAlive = setInterval(() => raw.write(':\n\n'), KEEP_ALIVE_MS);
    const end = () => {
      clearInterval(keepAlive);
      stop();
      open.delete(end);
      raw.end();
    };
    open.add(end);
    request.raw.socket.once('close', end);
  });
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(html);
}

function sendMail(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('content-security-policy', MAIL_POLICY)
    .type('text/html; charset=utf-8')
    .send(html);
}
