import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { success } from '../provider/wire/envelope.ts';
import { malformed } from '../provider/wire/malformed.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { uploadRefusals } from './upload-refusals.ts';
import type { UploadFolder } from './upload-store.ts';
import { createUploads, MAX_PICTURE_BYTES, type Uploads } from './uploads.ts';

const folderSchema = z.object({ folder: z.string().default('avatar') });
const pictureSchema = z.object({ id: z.uuid() });
const linkSchema = z.object({ expires: z.string().optional(), signature: z.string().optional() });

/** Clients of the contract upload without any token (identity-sdk.md, section 11): the address is limited instead. */
const BY_ADDRESS: RateLimitRule = { name: 'provider-upload', hits: 60, windowMs: 15 * 60_000 };
const YEAR_SECONDS = 31_536_000;

/** `POST /api/v2/upload?folder=…`, and the addresses of what was uploaded. */
export function registerUploadRoutes(app: FastifyInstance, context: ProviderContext): void {
  const uploads = createUploads(context);
  void app.register(async (scope) => {
    const limits = { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 8, fieldSize: 1_024 };
    await scope.register(multipart, { limits, throwFileSizeLimit: false });
    scope.post('/api/v2/upload', async (request) => {
      const folder = folderOf(folderSchema.parse(request.query).folder);
      const waitMs = await context.limits.hit(BY_ADDRESS, request.ip);
      if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
      const file = request.isMultipart() ? await request.file().catch(malformed) : undefined;
      if (file === undefined || file.fieldname !== 'file') {
        throw new ProviderError(uploadRefusals.noFile);
      }
      const picture = {
        folder,
        bytes: whole(file.file),
        address: request.ip,
        mostBytes: declaredBytes(request),
      };
      const upload = await uploads.save(picture).catch((error: unknown) => {
        // The rest of the request must be read, or the client does not receive the response.
        file.file.resume();
        throw error;
      });
      return success({ key: upload.id, url: uploads.urlOf(upload) });
    });
  });
  app.get('/uploads/avatar/:id', async (request, reply) => {
    const { id } = pictureSchema.parse(request.params);
    return send(reply, uploads, { folder: 'avatar', id });
  });
  app.get('/uploads/face-photo/:id', async (request, reply) => {
    const { id } = pictureSchema.parse(request.params);
    if (!uploads.isSigned(id, linkSchema.parse(request.query))) return reply.callNotFound();
    return send(reply, uploads, { folder: 'face-photo', id });
  });
}

/** The Content-Length, which Node's parser enforces; undefined for chunked requests. */
function declaredBytes({ headers }: FastifyRequest): number | undefined {
  return headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
}

/** Too large a file ends early: it must not be kept as if that were its end. */
async function* whole(
  file: Readable & { readonly truncated: boolean },
): AsyncGenerator<Uint8Array> {
  const chunks = file[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await chunks.next().catch(malformed);
    if (done === true) break;
    yield value as Uint8Array;
  }
  if (file.truncated) throw new ProviderError(uploadRefusals.tooLarge);
}

function folderOf(name: string): UploadFolder {
  if (name === 'avatar' || name === 'face-photo') return name;
  throw new ProviderError(uploadRefusals.unknownFolder);
}

async function send(
  reply: FastifyReply,
  uploads: Uploads,
  { folder, id }: { readonly folder: UploadFolder; readonly id: string },
): Promise<FastifyReply> {
  const upload = await uploads.open(folder, id);
  if (upload === undefined) return reply.callNotFound() as unknown as FastifyReply;
  const cached = folder === 'avatar' ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-store';
  return reply
    .headers({
      'cache-control': cached,
      'content-length': upload.sizeBytes,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': folder === 'avatar' ? 'cross-origin' : 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .type(upload.contentType)
    .send(Readable.from(upload.parts()));
}
