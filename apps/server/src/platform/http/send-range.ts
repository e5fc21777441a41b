import type { FastifyReply, FastifyRequest } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import type { FileStore } from '../files/file-store.ts';
import { readByteRange } from './byte-range.ts';

interface RangedFile {
  readonly files: Pick<FileStore, 'open'>;
  readonly key: string;
  readonly file: { readonly bytes: number; readonly sha256: string };
}

/**
 * A file, or the requested range of it. The digest is its entity tag, so that a download can resume.
 * @throws PortalError notFound where there is none
 */
export async function sendRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { files, key, file }: RangedFile,
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
