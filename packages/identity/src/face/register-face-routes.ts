import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { tellOfChange } from '../own-account/tell-of-change.ts';
import { attempt, completeSecondStep, mfaCallerOf, requireOffered } from '../mfa/mfa-caller.ts';
import { requireBindable } from '../mfa/require-bindable.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { createUploads } from '../uploads/uploads.ts';
import { toWireUser } from '../accounts/wire-user.ts';
import { success } from '../provider/wire/envelope.ts';
import type { Faces } from './faces.ts';
import { fetchPhoto, readUploadedPhoto } from './read-photo.ts';

const photo = z.string().min(1).max(2_048);
const associateSchema = z.object({
  photoA: photo,
  photoB: photo,
  isExternal: z.boolean().default(false),
});
const verifySchema = z.object({ photo });

/**
 * `/api/v2/mfa/face/…` (identity-sdk.md, section 7). Uploaded photos are deleted immediately after
 * processing.
 */
export function registerFaceRoutes(
  app: FastifyInstance,
  context: ProviderContext,
  faces: Faces,
): void {
  const uploads = createUploads(context);
  app.post('/api/v2/mfa/face/associate', async (request) => {
    const { photoA, photoB, isExternal } = associateSchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    await requireBindable(context, caller);
    await attempt(context, caller, async () => {
      const read = (key: string): Promise<Uint8Array> =>
        isExternal ? fetchPhoto(context, key) : readUploadedPhoto(uploads, key);
      const first = await read(photoA);
      const second = photoA === photoB ? first : await read(photoB);
      await faces.associate(caller.user.id, [first, second], (client) =>
        context.signIns.writeChange(client, caller.user, caller, 'a face was added'),
      );
    });
    await tellOfChange(context, { what: 'second-step-added', before: caller.user }, caller);
    if (!isExternal) await uploads.remove([photoA, photoB]);
    // Setting up a face during a sign-in also counts as showing it.
    if (caller.ticket !== undefined) {
      return success(await completeSecondStep(context, caller, 'FACE'));
    }
    return success(toWireUser(caller.user));
  });
  app.post('/api/v2/mfa/face/verify', async (request) => {
    const { photo: key } = verifySchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    requireOffered(caller, 'FACE');
    await attempt(context, caller, async () =>
      faces.verify(caller.user.id, await readUploadedPhoto(uploads, key)),
    );
    await uploads.remove([key]);
    return success(await completeSecondStep(context, caller, 'FACE'));
  });
}
