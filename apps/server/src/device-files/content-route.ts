import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import { toPlainName } from '@deviceportal/contract/plain-name';
import type { PersonLinkQuery } from '../platform/person-links.ts';
import { contentDisposition } from '../platform/http/content-disposition.ts';
import { sendRange } from '../platform/http/send-range.ts';
import { isActiveToken } from '../api-tokens/data/api-token-queries.ts';
import { findFileRequest } from './data/device-file-queries.ts';
import type { DeviceFileRoutesDeps } from './device-file-routes-deps.ts';
import { CONTENT_PURPOSE, TOKEN_CONTENT_PURPOSE, tokenSubject } from './sign-file-urls.ts';

/** `by` is the API token of an application. */
type ContentQuery = PersonLinkQuery & { readonly by?: string | undefined };
type ContentRequest = FastifyRequest<{ Params: { id: string }; Querystring: ContentQuery }>;

/**
 * `GET /device-file-contents/{id}?…`: the user downloads what the device sent. Always as unknown
 * bytes, which no browser shows as a page of this origin.
 */
export function addContentRoute(app: FastifyInstance, deps: DeviceFileRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: ContentQuery }>(
    '/device-file-contents/:id',
    { compress: false },
    async (request, reply) => {
      const { id } = request.params;
      await requireLink(deps, request);
      const row = idSchema.safeParse(id).success
        ? await findFileRequest(deps.database.orm, id)
        : undefined;
      if (row?.state !== 'done' || row.action !== 'read') throw new PortalError('notFound');
      const { storageKey: key, bytes, sha256, path } = row;
      if (key === null || bytes === null || sha256 === null) throw new PortalError('notFound');
      const name = toPlainName(path.slice(path.lastIndexOf('/') + 1)) || 'file';
      void reply
        .header('content-disposition', contentDisposition(name))
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'");
      return sendRange(request, reply, { files: deps.contents, key, file: { bytes, sha256 } });
    },
  );
}

async function requireLink(deps: DeviceFileRoutesDeps, request: ContentRequest): Promise<void> {
  const { params, query } = request;
  if (query.by === undefined) {
    await deps.links.require(
      { purpose: CONTENT_PURPOSE, subject: params.id, mayOpen: async () => false },
      {
        ...{ url: request.raw.url ?? '', host: request.headers.host },
        ...{ address: request.ip, query },
      },
    );
    return;
  }
  const subject = tokenSubject(params.id, query.by);
  const verdict = deps.signer.verify(TOKEN_CONTENT_PURPOSE, subject, query);
  if (verdict === 'invalid') throw new PortalError('notFound');
  const isActive = await isActiveToken(deps.database.orm, query.by);
  if (verdict === 'expired' || !isActive) throw refuse('link-ended');
}
