import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import { SIGNED_URL_DEFAULT_SECONDS } from '@deviceportal/contract/constants';
import type { SignedQuery, UrlSigner } from '../platform/url-signer.ts';

const PURPOSE = 'audit-export';
const FILE_NAME = /^audit-trail-\d{8}T\d{6}Z-[0-9a-f]{12}\.(csv|json)(\.manifest\.json)?$/;

/** A link to a finished export, valid for an hour. */
export function signExportUrl(signer: UrlSigner, fileName: string): string {
  return `/exports/${fileName}?${signer.sign(PURPOSE, fileName, SIGNED_URL_DEFAULT_SECONDS)}`;
}

/** `GET /exports/{file}`: the signature is the right; it was given to who was allowed to export. */
export function addExportRoutes(
  app: FastifyInstance,
  { signer, exportsDir }: { readonly signer: UrlSigner; readonly exportsDir: string },
): void {
  app.get<{ Params: { fileName: string }; Querystring: SignedQuery }>(
    '/exports/:fileName',
    async (request, reply) => {
      const { fileName } = request.params;
      const verdict = signer.verify(PURPOSE, fileName, request.query);
      if (verdict === 'expired') {
        throw new PortalError('noPermission', { message: 'This link has ended. Export again.' });
      }
      if (verdict === 'invalid' || !FILE_NAME.test(fileName)) throw new PortalError('notFound');
      const path = join(exportsDir, fileName);
      const found = await stat(path).catch(() => null);
      if (found === null) throw new PortalError('notFound');
      return reply
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .header('content-length', found.size)
        .type(
          fileName.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
        )
        .send(createReadStream(path));
    },
  );
}
