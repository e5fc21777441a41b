import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { PUBLIC_API_PATH } from '@deviceportal/contract/api-tokens';

const DOCS_PATH = '/api/docs';
const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const files: ReadonlySet<string> = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js']);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Device Portal API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${DOCS_PATH}/files/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="${DOCS_PATH}/files/swagger-ui-bundle.js"></script>
<script src="${DOCS_PATH}/start.js"></script>
</body>
</html>
`;

/** The token that is entered is kept in the memory of the page only. */
const start = `SwaggerUIBundle({
  url: '${PUBLIC_API_PATH}/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: 'none',
  persistAuthorization: false,
  displayRequestDuration: true,
});
`;

/** The reference of `/api/v1` as a page, with Swagger UI from this server: nothing is loaded from other hosts. */
export function registerDocsPage(app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.get(DOCS_PATH, (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
    );
    scope.get(`${DOCS_PATH}/start.js`, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(start),
    );
    await scope.register(fastifyStatic, {
      root: folder,
      prefix: `${DOCS_PATH}/files/`,
      decorateReply: false,
      cacheControl: false,
      index: false,
      allowedPath: (path) => files.has(path),
      setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=86400'),
    });
  });
}
