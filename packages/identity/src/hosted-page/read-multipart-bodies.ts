import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { malformed } from '../provider/wire/malformed.ts';

/** Bodies of forms with one file, as an object of texts and bytes; of a name that comes twice, the last counts. */
export async function readMultipartBodies(scope: FastifyInstance, fileSize: number): Promise<void> {
  const limits = { fileSize, files: 1, fields: 16, fieldSize: 1_024 };
  await scope.register(multipart, { limits, throwFileSizeLimit: false });
  scope.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await partsOf(request).catch(malformed);
  });
}

async function partsOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  const body = new Map<string, unknown>();
  for await (const part of request.parts())
    body.set(part.fieldname, part.type === 'file' ? await part.toBuffer() : part.value);
  return Object.fromEntries(body);
}
