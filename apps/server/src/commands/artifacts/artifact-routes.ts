import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import { toPlainName } from '@deviceportal/contract/plain-name';
import { refuse } from '@deviceportal/contract/refuse';
import type { Database } from '../../platform/database/database.ts';
import { contentDisposition } from '../../platform/http/content-disposition.ts';
import { contentOf } from '../../platform/http/content-of.ts';
import type { PersonLinkQuery, PersonLinks } from '../../platform/person-links.ts';
import type { SignedQuery, UrlSigner } from '../../platform/files/url-signer.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findArtifact } from '../data/artifact-queries.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { storeArtifact } from './store-artifact.ts';
import { UploadSlots } from './upload-slots.ts';
import { DOWNLOAD_PURPOSE, UPLOAD_PURPOSE } from './sign-artifact-url.ts';

export interface ArtifactRoutesDeps {
  readonly database: Database;
  /** Signs links for devices. */
  readonly signer: UrlSigner;
  /** Signs links for users. */
  readonly links: PersonLinks;
  /** Whether an invocation is visible to a viewer. */
  readonly seesInvocation: (viewer: Viewer, invocationId: string) => Promise<boolean>;
  readonly store: ArtifactStore;
}

/** One path segment that is not hidden and that file systems, headers, and browsers handle safely. */
const nameSchema = z
  .string()
  .max(255)
  .regex(/^[^/\\\p{Cc}]+$/u)
  .transform(toPlainName)
  .refine((name) => name !== '' && !name.startsWith('.'));

/**
 * `PUT /device-artefacts/{invocation}?expires&signature&name`: a device uploads a collected file.
 * `GET /artefacts/{id}?expires&signature`: a user downloads it. The signed link authorizes the request.
 */
export function addArtifactRoutes(app: FastifyInstance, deps: ArtifactRoutesDeps): void {
  void app.register(async (scope) => {
    // The content is streamed to the disk: no parser, and the limit of the store instead of `bodyLimit`.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    addUpload(scope, deps);
    addDownload(scope, deps);
  });
}

function addUpload(app: FastifyInstance, { database, signer, store }: ArtifactRoutesDeps): void {
  const slots = new UploadSlots();
  app.put<{ Params: { invocationId: string }; Querystring: SignedQuery & { name?: string } }>(
    '/device-artefacts/:invocationId',
    { bodyLimit: Number.MAX_SAFE_INTEGER },
    async (request, reply) => {
      const { invocationId } = request.params;
      requireSigned(signer, {
        purpose: UPLOAD_PURPOSE,
        subject: invocationId,
        query: request.query,
      });
      const name = nameSchema.safeParse(request.query.name);
      if (!name.success) {
        throw refuse('file-name-invalid', { field: 'name' });
      }
      const kept = await storeArtifact({ database, store, slots }, contentOf(request.body), {
        invocationId,
        name: name.data,
      });
      return reply.code(201).send(kept);
    },
  );
}

function addDownload(app: FastifyInstance, deps: ArtifactRoutesDeps): void {
  const { database, links, seesInvocation, store } = deps;
  app.get<{ Params: { id: string }; Querystring: PersonLinkQuery }>(
    '/artefacts/:id',
    // Not compressed, so that bytes and hash are those shown in the portal.
    { compress: false },
    async (request, reply) => {
      const { id } = request.params;
      await links.require(
        {
          purpose: DOWNLOAD_PURPOSE,
          subject: id,
          async mayOpen(viewer) {
            const artifact = idSchema.safeParse(id).success
              ? await findArtifact(database.orm, id)
              : undefined;
            return artifact !== undefined && seesInvocation(viewer, artifact.invocationId);
          },
        },
        {
          url: request.raw.url ?? '',
          host: request.headers.host,
          address: request.ip,
          query: request.query,
        },
      );
      const artifact = await findArtifact(database.orm, id);
      if (artifact?.digest === 'differs') throw refuse('file-not-as-reported');
      const opened = artifact && (await store.open(artifact.storageKey));
      if (artifact === undefined || opened === undefined) throw new PortalError('notFound');
      return reply
        .header('content-disposition', contentDisposition(artifact.name))
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('cache-control', 'private, no-store')
        .header('content-length', artifact.bytes)
        .type('application/octet-stream')
        .send(opened.content);
    },
  );
}

function requireSigned(
  signer: UrlSigner,
  link: { readonly purpose: string; readonly subject: string; readonly query: SignedQuery },
): void {
  const verdict = signer.verify(link.purpose, link.subject, link.query);
  if (verdict === 'valid') return;
  // The target of an invalid link does not exist for the caller.
  if (verdict === 'invalid') throw new PortalError('notFound');
  throw refuse('link-ended');
}
