import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import type { User } from '../profile/user.ts';
import { choosePhoto, FACE_PHOTOS } from '../uploads/choose-photo.ts';
import { uploadFacePhoto } from '../uploads/upload-photo.ts';
import { verifyStep, type WithMfaToken } from './totp.ts';

const ASSOCIATE = '/api/v2/mfa/face/associate';

/** Adds a face as a second factor, from two pictures that the provider can fetch. */
export function associateFaceByUrl(
  client: IdentityClient,
  input: {
    readonly baseFace: string;
    readonly compareFace: string;
    readonly mfaToken?: string | undefined;
  },
  options?: CallOptions,
): Promise<User> {
  const body = { photoA: input.baseFace, photoB: input.compareFace, isExternal: true };
  return verifyStep(client, ASSOCIATE, body, input.mfaToken, options);
}

/** Adds a face from local pictures. A single picture is used twice. */
export async function associateFaceByBlob(
  client: IdentityClient,
  input: {
    readonly baseFace: Blob;
    readonly compareFace?: Blob | undefined;
    readonly mfaToken?: string | undefined;
  },
  options?: CallOptions,
): Promise<User> {
  const photoA = await uploadFacePhoto(client, input.baseFace, options);
  const photoB = input.compareFace
    ? await uploadFacePhoto(client, input.compareFace, options)
    : photoA;
  return verifyStep(client, ASSOCIATE, { photoA, photoB }, input.mfaToken, options);
}

/** Adds a face from a picture that the user chooses. */
export async function associateFaceByLocalFile(
  client: IdentityClient,
  { mfaToken }: { readonly mfaToken?: string | undefined } = {},
  options?: CallOptions,
): Promise<User> {
  const baseFace = await choosePhoto(client, FACE_PHOTOS);
  return associateFaceByBlob(client, { baseFace, mfaToken }, options);
}

/** Second factor of a sign-in: a picture of the face that is already uploaded. */
export function verifyFace(
  client: IdentityClient,
  { photo, mfaToken }: WithMfaToken & { readonly photo: string },
  options?: CallOptions,
): Promise<User> {
  return verifyStep(client, '/api/v2/mfa/face/verify', { photo }, mfaToken, options);
}
