import type { FastifyReply } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';
import type { FileStore } from '../files/file-store.ts';

interface KeptFile {
  readonly files: Pick<FileStore, 'open'>;
  readonly key: string;
  readonly type: string;
  /** Of the download; the key if absent. */
  readonly name?: string;
}

/**
 * A file as a download, which no cache keeps.
 * @throws PortalError notFound where there is none
 */
export async function sendKeptFile(
  reply: FastifyReply,
  { files, key, type, name = key }: KeptFile,
): Promise<FastifyReply> {
  const found = await files.open(key);
  if (found === undefined) throw new PortalError('notFound');
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .header('content-length', found.bytes)
    .type(type)
    .send(found.content);
}
