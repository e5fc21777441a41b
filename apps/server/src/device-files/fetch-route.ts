import type { FastifyInstance } from 'fastify';
import { refuse } from '@deviceportal/contract/refuse';
import type { SignedQuery } from '../platform/files/url-signer.ts';
import { sendRange } from '../platform/http/send-range.ts';
import { noteActivity } from './data/device-file-queries.ts';
import type { DeviceFileRoutesDeps } from './device-file-routes-deps.ts';
import { requireDeviceLink } from './require-device-link.ts';

/** `GET /device-files/{id}?expires&signature`: a device fetches a file that it writes, or a range of it. */
export function addFetchRoute(app: FastifyInstance, deps: DeviceFileRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: SignedQuery }>(
    '/device-files/:id',
    // Ranges and the hash refer to the uncompressed bytes.
    { compress: false },
    async (request, reply) => {
      const { id } = request.params;
      const row = await requireDeviceLink(deps, { id, use: 'fetch', query: request.query });
      const { state, storageKey: key, bytes, sha256 } = row;
      if (state !== 'sent' || key === null || bytes === null || sha256 === null)
        throw refuse('file-transfer-ended');
      await noteActivity(deps.database.orm, id);
      return sendRange(request, reply, { files: deps.contents, key, file: { bytes, sha256 } });
    },
  );
}
