import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FastifyReply } from 'fastify';
import { PortalError } from '@deviceportal/contract/errors';

/**
 * A file as a download under its own name, which no cache keeps.
 * @throws PortalError notFound where there is none
 */
export async function sendKeptFile(
  reply: FastifyReply,
  { path, type }: { readonly path: string; readonly type: string },
): Promise<FastifyReply> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new PortalError('notFound');
  return reply
    .header('content-disposition', `attachment; filename="${basename(path)}"`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .header('content-length', found.size)
    .type(type)
    .send(createReadStream(path));
}
