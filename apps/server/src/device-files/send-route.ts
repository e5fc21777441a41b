import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import {
  DEVICE_FILE_LIMIT_BYTES,
  FILE_VIEW_BYTES,
  type FileUploadState,
} from '@deviceportal/contract/device-files';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { z } from 'zod';
import { inTransaction } from '../platform/database/database.ts';
import { receivePiece } from '../platform/files/receive-piece.ts';
import type { SignedQuery } from '../platform/files/url-signer.ts';
import { ConcurrencyLimit } from '../platform/growth-limits/concurrency-limit.ts';
import { contentOf } from '../platform/http/content-of.ts';
import {
  findFileRequest,
  lockFileRequest,
  noteActivity,
  setAnnounced,
  type FileRequestRow,
} from './data/device-file-queries.ts';
import type { DeviceFileRoutesDeps } from './device-file-routes-deps.ts';
import { endRequest } from './end-request.ts';
import { requireDayRoom } from './require-day-room.ts';
import { requireDeviceLink } from './require-device-link.ts';
import { storeContent } from './store-content.ts';

/** Limits concurrent pieces: one per file, because two would overwrite each other. */
const arriving = new ConcurrencyLimit({ each: 1, all: 16, waiting: 100, maxWaitMs: 60_000 });

const count = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const querySchema = z.object({
  /** Position of the piece in the content that is sent. */
  offset: count,
  start: count,
  bytes: count,
  total: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
type Announced = z.infer<typeof querySchema>;

type Content = FileRequestRow & { readonly storageKey: string };

/**
 * `PUT /device-files/{id}?offset&start&bytes&total&sha256&expires&signature`: a device sends a piece of
 * a file. The answer says how much is stored, so that an interrupted transfer resumes.
 */
export function addSendRoute(app: FastifyInstance, deps: DeviceFileRoutesDeps): void {
  app.put<{ Params: { id: string }; Querystring: SignedQuery }>(
    '/device-files/:id',
    { bodyLimit: Number.MAX_SAFE_INTEGER },
    async (request): Promise<FileUploadState> => {
      const { id } = request.params;
      await requireDeviceLink(deps, { id, use: 'send', query: request.query });
      const announced = querySchema.safeParse(request.query);
      if (!announced.success) throw refuse('request-malformed');
      return arriving.run(id, () => receive(deps, id, announced.data, contentOf(request.body)));
    },
  );
}

async function receive(
  deps: DeviceFileRoutesDeps,
  id: string,
  announced: Announced,
  content: Readable,
): Promise<FileUploadState> {
  const row = await settle(deps, id, announced);
  // The response to the last piece was lost.
  if (row.state === 'done' && row.sha256 === announced.sha256)
    return { bytes: announced.bytes, sha256: announced.sha256 };
  if (row.state !== 'sent') throw refuse('file-transfer-ended');
  const stored = await storeContent(deps, row, () => store(deps, row, { announced, content }));
  if (stored.sha256 === null) return stored;
  if (stored.sha256 === announced.sha256) return complete(deps, row, announced);
  await deps.contents.remove(row.storageKey);
  // The file was changed while it was sent, or the transfer was tampered with.
  await endRequest(deps, { id, failure: 'changed' });
  throw refuse('file-not-as-announced');
}

/** Returns how much is stored, with the digest of all of it. */
async function store(
  { contents, database }: DeviceFileRoutesDeps,
  { id, storageKey }: Content,
  { announced, content }: { readonly announced: Announced; readonly content: Readable },
): Promise<FileUploadState> {
  const { offset, bytes } = announced;
  if (bytes === 0) return contents.put(storageKey, Readable.from([]));
  const transfer = contents.beginUpload(storageKey, bytes);
  const stored =
    offset >= bytes
      ? await transfer.storedBytes()
      : await receivePiece(transfer, { start: offset, end: bytes - 1 }, content);
  await noteActivity(database.orm, id, { receivedBytes: stored });
  return stored < bytes ? { bytes: stored, sha256: null } : transfer.finish();
}

async function complete(
  deps: DeviceFileRoutesDeps,
  { id, storageKey }: Content,
  { bytes, sha256 }: Announced,
): Promise<FileUploadState> {
  const isOwn = await endRequest(deps, { id, failure: null });
  if (!isOwn) {
    const row = await findFileRequest(deps.database.orm, id);
    // Canceled in between.
    if (row?.state !== 'done') await deps.contents.remove(storageKey);
    if (row?.state !== 'done') throw refuse('file-transfer-ended');
  }
  return { bytes, sha256 };
}

/** Stores what the device announces. Other content than before begins again. */
async function settle(
  { database, contents }: DeviceFileRoutesDeps,
  id: string,
  { start, bytes, total: totalBytes, sha256 }: Announced,
): Promise<Content> {
  return inTransaction(database, async (tx) => {
    const row = await lockFileRequest(tx, id);
    if (row === undefined) throw new PortalError('notFound');
    const { storageKey } = row;
    const isSame = row.bytes === bytes && row.sha256 === sha256 && row.start === start;
    if (row.state !== 'sent' || (isSame && storageKey !== null))
      return { ...row, storageKey: storageKey ?? '' };
    const limitBytes = row.part === 'whole' ? DEVICE_FILE_LIMIT_BYTES : FILE_VIEW_BYTES;
    if (bytes > limitBytes) throw refuse('file-too-large', { facts: { limitBytes } });
    await requireDayRoom(tx, { id, deviceId: row.deviceId, bytes });
    if (storageKey !== null) await contents.remove(storageKey);
    const announced = { bytes, start, totalBytes, sha256, storageKey: randomUUID() };
    await setAnnounced(tx, { id, ...announced });
    return { ...row, ...announced };
  });
}
