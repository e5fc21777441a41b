import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import { IMPORT_FILE_BYTES } from '@deviceportal/contract/imports';
import { idSchema } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type { SignedQuery, UrlSigner } from '../platform/files/url-signer.ts';
import { ConcurrencyLimit } from '../platform/growth-limits/concurrency-limit.ts';
import { contentOf } from '../platform/http/content-of.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { storeFile } from './store-file.ts';

const UPLOAD_PURPOSE = 'import-upload';
const VALID_SECONDS = 900;

/** Limits concurrent files: one per import, because two would mix their rows. */
const arriving = new ConcurrencyLimit({ each: 1, all: 8, waiting: 100, maxWaitMs: 60_000 });

/** A link to which the file of an import can be sent, relative to the site. */
export const signImportUpload = (signer: UrlSigner, importId: string): string =>
  `/import-files/${importId}?${signer.sign(UPLOAD_PURPOSE, importId, VALID_SECONDS)}`;

/**
 * `PUT /import-files/{import}?expires&signature`: the file of an import. The link only lets rows be stored; what they do
 * is checked with the permissions of the user in later calls.
 */
export function addImportRoutes(
  app: FastifyInstance,
  deps: Pick<ImportsDeps, 'database' | 'imports'> & { readonly signer: UrlSigner },
): void {
  void app.register(async (scope) => {
    // The content is streamed: no parser, and the limit of the reader instead of `bodyLimit`.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.put<{ Params: { id: string }; Querystring: SignedQuery }>(
      '/import-files/:id',
      { bodyLimit: Number.MAX_SAFE_INTEGER },
      async (request, reply) => {
        const { id } = request.params;
        requireSigned(deps.signer, id, request.query);
        if (Number(request.headers['content-length'] ?? 0) > IMPORT_FILE_BYTES) {
          throw refuse('file-too-large', { facts: { limitBytes: IMPORT_FILE_BYTES } });
        }
        const content = contentOf(request.body);
        await arriving.run(id, () => storeFile(deps, id, content));
        skipRest(content);
        return reply.code(204).send();
      },
    );
  });
}

function requireSigned(signer: UrlSigner, id: string, query: SignedQuery): void {
  const verdict = idSchema.safeParse(id).success
    ? signer.verify(UPLOAD_PURPOSE, id, query)
    : 'invalid';
  if (verdict === 'valid') return;
  if (verdict === 'invalid') throw new PortalError('notFound');
  throw refuse('link-ended');
}

/** Lets a client finish a file of which enough was read, because most clients read no answer before that. */
function skipRest(content: Readable): void {
  let bytes = 0;
  content.on('data', (piece: Buffer) => {
    bytes += piece.byteLength;
    if (bytes > IMPORT_FILE_BYTES) content.destroy();
  });
}
