import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { FILE_CONTENT_SECONDS, type FileUploadState } from '@deviceportal/contract/device-files';
import { PortalError } from '@deviceportal/contract/errors';
import { idSchema } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { receivePiece } from '../platform/files/receive-piece.ts';
import { ConcurrencyLimit } from '../platform/growth-limits/concurrency-limit.ts';
import { contentOf } from '../platform/http/content-of.ts';
import { readPiece } from '../platform/http/read-piece.ts';
import type { PersonLinkQuery } from '../platform/person-links.ts';
import {
  findFileRequest,
  lockFileRequest,
  markSent,
  noteActivity,
  type FileRequestRow,
} from './data/device-file-queries.ts';
import type { DeviceFileRoutesDeps } from './device-file-routes-deps.ts';
import { signFileRequest } from './sign-file-request.ts';
import { UPLOAD_PURPOSE, uploadSubject } from './sign-file-urls.ts';
import { storeContent } from './store-content.ts';

const arriving = new ConcurrencyLimit({ each: 1, all: 8, waiting: 100, maxWaitMs: 60_000 });

type UploadRequest = FastifyRequest<{ Params: { id: string }; Querystring: PersonLinkQuery }>;
type Upload = FileRequestRow & { readonly bytes: number; readonly storageKey: string };

/**
 * `PUT /device-file-uploads/{id}?…` uploads a file for a device, as a whole or in parts
 * (`Content-Range: bytes 0-99/1000`); `GET` returns the number of received bytes. When all are
 * received, the device is asked to write the file.
 */
export function addUploadRoutes(app: FastifyInstance, deps: DeviceFileRoutesDeps): void {
  app.get('/device-file-uploads/:id', async (request: UploadRequest, reply) => {
    const upload = await requireUpload(deps, request);
    void reply.header('cache-control', 'no-store');
    return stateOf(deps, upload);
  });
  app.put(
    '/device-file-uploads/:id',
    { bodyLimit: Number.MAX_SAFE_INTEGER },
    async (request: UploadRequest, reply) => {
      const { id } = await requireUpload(deps, request);
      const state = await arriving.run(id, () => receive(deps, request));
      return reply.code(state.sha256 === null ? 202 : 201).send(state);
    },
  );
}

async function receive(
  deps: DeviceFileRoutesDeps,
  request: UploadRequest,
): Promise<FileUploadState> {
  const upload = await requireUpload(deps, request);
  // The response to the last part was lost.
  if (upload.sha256 !== null) return stateOf(deps, upload);
  if (upload.failure === 'store-full') throw refuse('server-disk-full');
  if (upload.state !== 'receiving') throw refuse('file-transfer-ended');
  const { bytes, sha256 } = await storeContent(deps, upload, () => store(deps, upload, request));
  if (sha256 === null) return { bytes, sha256 };
  return ask(deps, upload, { sha256, address: request.ip, requestId: request.id });
}

/** Returns how much is stored, with the digest of all of it. */
async function store(
  { contents, database }: DeviceFileRoutesDeps,
  { id, bytes, storageKey }: Upload,
  { headers, body }: UploadRequest,
): Promise<FileUploadState> {
  if (bytes === 0) return contents.put(storageKey, Readable.from([]));
  const piece = readPiece(headers['content-range'], bytes);
  const transfer = contents.beginUpload(storageKey, bytes);
  const receivedBytes = await receivePiece(transfer, piece, contentOf(body));
  await noteActivity(database.orm, id, { receivedBytes });
  return receivedBytes < bytes ? { bytes: receivedBytes, sha256: null } : transfer.finish();
}

/** Signs the request to the device, stores it with its audit event, and sends it. */
async function ask(
  deps: DeviceFileRoutesDeps,
  upload: Upload,
  origin: { readonly sha256: string; readonly address: string; readonly requestId: string },
): Promise<FileUploadState> {
  const { id, deviceId, userId, username, path, reason, bytes, overwrites } = upload;
  const { sha256, address, requestId } = origin;
  const statement = await signFileRequest(deps, {
    ...{ id, deviceId, path, reason, userId, username, validMs: FILE_CONTENT_SECONDS * 1_000 },
    does: {
      ...{ action: 'write', bytes, sha256, overwrites },
      url: deps.fileLinks.signDeviceUrl(id, 'fetch'),
    },
  });
  const isSent = await inTransaction(deps.database, async (tx) => {
    const row = await lockFileRequest(tx, id);
    if (row?.state !== 'receiving') return row?.sha256 === sha256;
    await markSent(tx, id, { statement, sha256 });
    await recordAudit(tx, [
      {
        type: 'file.write-requested',
        actor: { kind: 'user', id: userId, name: username, address },
        requestId,
        deviceId,
        data: { requestId: id, path, purpose: reason, bytes, sha256, overwrites },
      },
    ]);
    return true;
  });
  if (!isSent) {
    // Canceled in between.
    await deps.contents.remove(upload.storageKey);
    throw refuse('file-transfer-ended');
  }
  deps.changes.publish([
    { kind: 'file-request', requestId: id },
    { kind: 'audit-trail', deviceIds: [deviceId] },
  ]);
  return { bytes, sha256 };
}

async function requireUpload(deps: DeviceFileRoutesDeps, request: UploadRequest): Promise<Upload> {
  const { id } = request.params;
  const row = idSchema.safeParse(id).success
    ? await findFileRequest(deps.database.orm, id)
    : undefined;
  if (row === undefined || row.action !== 'write') throw new PortalError('notFound');
  await deps.links.require(
    { purpose: UPLOAD_PURPOSE, subject: uploadSubject(row), mayOpen: async () => false },
    {
      ...{ url: request.raw.url ?? '', host: request.headers.host },
      ...{ address: request.ip, query: request.query },
    },
  );
  const { bytes, storageKey } = row;
  if (bytes === null || storageKey === null) throw refuse('file-transfer-ended');
  return { ...row, bytes, storageKey };
}

async function stateOf(
  { contents }: DeviceFileRoutesDeps,
  { sha256, bytes, storageKey }: Upload,
): Promise<FileUploadState> {
  if (sha256 !== null) return { bytes, sha256 };
  return { bytes: await contents.beginUpload(storageKey, bytes).storedBytes(), sha256: null };
}
