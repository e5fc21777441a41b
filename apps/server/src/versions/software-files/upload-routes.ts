import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import { softwareUploadQuery, type SoftwareUploadState } from '@deviceportal/contract/versions';
import { findUsername } from '../../access/data/find-username.ts';
import type { AuditActorDraft } from '../../audit-trail/record-audit.ts';
import { contentOf } from '../../platform/http/content-of.ts';
import type { PersonLinkQuery } from '../../platform/person-links.ts';
import { findAttached } from '../data/software-queries.ts';
import { attachArtifact, requireOpenForArtifact } from './attach-artifact.ts';
import {
  SOFTWARE_UPLOAD_PURPOSE,
  uploadSubject,
  type SoftwareUpload,
} from './sign-software-url.ts';
import { ConcurrencyLimit } from '../../platform/growth-limits/concurrency-limit.ts';
import type { FileUpload } from '../../platform/files/file-store.ts';
import { receivePiece } from '../../platform/files/receive-piece.ts';
import { readPiece } from '../../platform/http/read-piece.ts';
import type { SoftwareRoutesDeps } from './software-routes-deps.ts';

/** Limits concurrent parts: one per file, because two would overwrite each other. */
const arriving = new ConcurrencyLimit({ each: 1, all: 8, waiting: 100, maxWaitMs: 60_000 });

type UploadQuery = PersonLinkQuery &
  Readonly<Record<'component' | 'version' | 'name' | 'bytes' | 'key', string>>;
type UploadRequest = FastifyRequest<{ Querystring: UploadQuery }>;

/**
 * `PUT /software-files?…` uploads the file of a version, as a whole or in parts (`Content-Range: bytes 0-99/1000`);
 * `GET` of the same link returns the number of received bytes, so that an interrupted upload can be resumed.
 */
export function addUploadRoutes(app: FastifyInstance, deps: SoftwareRoutesDeps): void {
  app.get<{ Querystring: UploadQuery }>('/software-files', async (request, reply) => {
    const upload = await requireUpload(deps, request);
    void reply.header('cache-control', 'no-store');
    return stateOf(deps, upload);
  });
  app.put<{ Querystring: UploadQuery }>(
    '/software-files',
    { bodyLimit: Number.MAX_SAFE_INTEGER },
    async (request, reply) => {
      const upload = await requireUpload(deps, request);
      const state = await arriving.run(upload.key, () => receive(deps, upload, request));
      return reply.code(state.sha256 === null ? 202 : 201).send(state);
    },
  );
}

/** Under one lock: a part received while the file is being completed would change the hashed content. */
async function receive(
  deps: SoftwareRoutesDeps,
  upload: SoftwareUpload,
  request: UploadRequest,
): Promise<SoftwareUploadState> {
  const before = await stateOf(deps, upload);
  // The response to the last part was lost.
  if (before.sha256 !== null) return before;
  await requireOpenForArtifact(deps.database.orm, upload);
  const piece = readPiece(request.headers['content-range'], upload.bytes);
  const transfer = deps.files.beginUpload(upload.key, upload.bytes);
  const bytes = await receivePiece(transfer, piece, contentOf(request.body));
  if (bytes < upload.bytes) return { bytes, sha256: null };
  return completeUpload(deps, { upload, transfer, request });
}

async function requireUpload(
  deps: SoftwareRoutesDeps,
  request: UploadRequest,
): Promise<SoftwareUpload> {
  const parsed = softwareUploadQuery.safeParse(request.query);
  // An invalid name was never signed.
  if (!parsed.success) throw new PortalError('notFound');
  await deps.links.require(
    {
      purpose: SOFTWARE_UPLOAD_PURPOSE,
      subject: uploadSubject(parsed.data),
      mayOpen: async () => false,
    },
    {
      url: request.raw.url ?? '',
      host: request.headers.host,
      address: request.ip,
      query: request.query,
    },
  );
  return parsed.data;
}

async function stateOf(
  { database, files }: SoftwareRoutesDeps,
  { key, component, version, bytes }: SoftwareUpload,
): Promise<SoftwareUploadState> {
  const attached = await findAttached(database.orm, { component, version }, key);
  if (attached !== undefined) return attached;
  return { bytes: await files.beginUpload(key, bytes).storedBytes(), sha256: null };
}

async function completeUpload(
  deps: SoftwareRoutesDeps,
  {
    upload,
    transfer,
    request,
  }: {
    readonly upload: SoftwareUpload;
    readonly transfer: FileUpload;
    readonly request: UploadRequest;
  },
): Promise<SoftwareUploadState> {
  const { key: storageKey } = upload;
  const file = await transfer.finish();
  try {
    const replaced = await attachArtifact(deps, {
      upload,
      stored: { storageKey, ...file },
      actor: await uploaderOf(deps, request),
      requestId: request.id,
    });
    if (replaced !== null && replaced !== storageKey) await deps.files.remove(replaced);
    return file;
  } catch (error) {
    // Another server may have attached it: the response to the last part was lost, and the part was sent again.
    const attached = await findAttached(deps.database.orm, upload, storageKey);
    if (attached !== undefined) return attached;
    await deps.files.remove(storageKey);
    throw error;
  }
}

async function uploaderOf(
  { database }: SoftwareRoutesDeps,
  request: UploadRequest,
): Promise<AuditActorDraft> {
  const id = request.query.user ?? null;
  const name = id === null ? undefined : await findUsername(database.orm, id);
  return { kind: 'user', id, name: name ?? '', address: request.ip };
}
