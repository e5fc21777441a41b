import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { isActiveDevice } from '../../devices/data/is-active-device.ts';
import { sendRange } from '../../platform/http/send-range.ts';
import type { SignedQuery } from '../../platform/files/url-signer.ts';
import { findServedFile } from '../data/software-queries.ts';
import { downloadSubject, SOFTWARE_DOWNLOAD_PURPOSE } from './sign-software-url.ts';
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
      return sendRange(request, reply, { files, key, file });
    },
  );
}
