import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { isActiveDevice } from '../../devices/data/is-active-device.ts';
import type { SignedQuery } from '../../platform/files/url-signer.ts';
import { findServedFile } from '../data/software-queries.ts';
import { readByteRange } from './byte-range.ts';
import { downloadSubject, SOFTWARE_DOWNLOAD_PURPOSE } from './sign-software-url.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { addUploadRoutes } from './upload-routes.ts';
import type { SoftwareRoutesDeps } from './software-routes-deps.ts';

/**
 * Uploads by users, and downloads by devices: `GET /device-software/{key}/{name}?device&expires&signature` returns
 * the file or a range of it to an active device. The link grants access.
 */
export function addSoftwareRoutes(app: FastifyInstance, deps: SoftwareRoutesDeps): void {
  void app.register(async (scope) => {
    // The content is streamed to the disk: no parser, and the store's own size limit.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    addUploadRoutes(scope, deps);
    addDownload(scope, deps);
  });
}

type ServedFile = NonNullable<Awaited<ReturnType<typeof findServedFile>>>;

function addDownload(app: FastifyInstance, deps: SoftwareRoutesDeps): void {
  const { database, signer, files } = deps;
  app.get<{ Params: { key: string }; Querystring: SignedQuery & { readonly device?: string } }>(
    '/device-software/:key/:name',
    // Ranges and the hash refer to the uncompressed bytes.
    { compress: false },
    async (request, reply) => {
      const { key } = request.params;
      const { device = '' } = request.query;
      const subject = downloadSubject(key, device);
      const verdict = signer.verify(SOFTWARE_DOWNLOAD_PURPOSE, subject, request.query);
      if (verdict === 'invalid') throw new PortalError('notFound');
      if (verdict === 'expired') {
        throw refuse('link-ended');
      }
      const file = await findServedFile(database.orm, key);
      // Only devices in service may download.
      const isServed = file !== undefined && (await isActiveDevice(database.orm, device));
      if (!isServed) throw new PortalError('notFound');
      return sendFile(request, reply, { files, key, file });
    },
  );
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    files,
    key,
    file,
  }: { readonly files: FileStore; readonly key: string; readonly file: ServedFile },
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`;
  const ifRange = request.headers['if-range'];
  // If the file has changed since the first range, the whole file is sent.
  const isSame = ifRange === undefined || ifRange === etag;
  const range = isSame ? readByteRange(request.headers.range, file.bytes) : null;
  void reply.header('accept-ranges', 'bytes').header('etag', etag);
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${file.bytes}`).send();
  }
  const opened = await files.open(key, range ?? undefined);
  if (opened === undefined) throw new PortalError('notFound');
  if (range !== null) {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  }
  return reply
    .header('cache-control', 'private, no-store')
    .header('content-length', range === null ? file.bytes : range.end - range.start + 1)
    .type('application/octet-stream')
    .send(opened.content);
}
