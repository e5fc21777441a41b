import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database } from '../platform/database/database.ts';
import { listOutboxMessages, type OutboxMessage } from './outbox-messenger.ts';

const querySchema = z.object({ to: z.string().max(256).optional() });

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
/** What proxies add: then the connection is local and the person is not. */
const forwardedBy = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Sign-in codes are for the person in front of this machine: not for whom a proxy passes on, nor for a page of another name. */
function isAtThisMachine({ socket, headers }: FastifyRequest): boolean {
  return (
    loopback.has(socket.remoteAddress ?? '') &&
    // A name elsewhere that points to this machine (DNS rebinding) is another origin for the browser.
    loopbackHost.test(headers.host ?? '') &&
    forwardedBy.every((name) => headers[name] === undefined)
  );
}

/** `/outbox` as a page and `/outbox/messages?to=` as JSON: only in the embedded default, only on loopback. */
export function registerOutboxRoutes(
  app: FastifyInstance,
  { database }: { database: Database },
): void {
  app.register(async (outbox) => {
    outbox.addHook('onRequest', async (request, reply) => {
      if (!isAtThisMachine(request)) return reply.code(404).send();
      reply.header('cache-control', 'no-store');
    });
    outbox.get('/outbox/messages', async (request) => {
      const { to } = querySchema.parse(request.query);
      return listOutboxMessages(database, to);
    });
    outbox.get('/outbox', async (request, reply) => {
      const { to } = querySchema.parse(request.query);
      const messages = await listOutboxMessages(database, to);
      return reply.type('text/html; charset=utf-8').send(renderOutbox(messages));
    });
    outbox.get('/outbox/outbox.css', async (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(styles),
    );
  });
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

const styles = `
:root { color-scheme: light dark; font-family: 'Open Sans', 'PingFang SC', 'Noto Sans CJK SC', sans-serif; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; line-height: 1.5; }
article { border: 1px solid #8886; border-radius: 12px; padding: 1rem 1.25rem; margin: 1rem 0; }
.code { font: 700 2rem ui-monospace, monospace; letter-spacing: .3rem; user-select: all; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { opacity: .75; } dd { margin: 0; } pre { white-space: pre-wrap; font: inherit; }
`;

function renderOutbox(messages: readonly OutboxMessage[]): string {
  const articles = messages.map(
    (message) => `<article>
  <h2>${escapeHtml(message.subject)}</h2>
  ${message.code ? `<p class="code">${escapeHtml(message.code)}</p>` : ''}
  <dl><dt>To</dt><dd>${escapeHtml(message.to)}</dd><dt>By</dt><dd>${escapeHtml(message.channel)}</dd>
  <dt>Sent</dt><dd><time datetime="${message.sentAt}">${message.sentAt}</time></dd></dl>
  <pre>${escapeHtml(message.text)}</pre>
</article>`,
  );
  const body =
    articles.join('\n') ||
    '<p>No message yet. Ask for a code on the sign-in page, then look here.</p>';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5"><title>Outbox · Device Portal</title>
<link rel="stylesheet" href="/outbox/outbox.css"></head>
<body><main><h1>Outbox</h1><p>Messages that this machine would have sent. Newest first.</p>${body}</main></body></html>`;
}
