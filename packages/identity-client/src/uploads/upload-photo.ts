import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { IdentityError } from '../core/identity-error.ts';
import { say } from '../core/language.ts';
import { report } from '../core/report.ts';
import { asRecord } from '../core/send.ts';
import { updateProfile } from '../profile/update-profile.ts';
import type { User } from '../profile/user.ts';
import { requireUserId } from '../profile/require-user-id.ts';
import { choosePhoto } from './choose-photo.ts';

/** The contract uses one file name for all pictures. */
const FILE_NAME = 'personal.jpeg';

/** Uploads a public picture and returns its URL. */
export function uploadPhoto(
  client: IdentityClient,
  photo: Blob,
  options?: CallOptions,
): Promise<string> {
  return upload(client, photo, { folder: 'avatar' }, 'url', options);
}

/** Uploads a private picture of a face and returns its key. */
export function uploadFacePhoto(
  client: IdentityClient,
  photo: Blob,
  options?: CallOptions,
): Promise<string> {
  return upload(client, photo, { folder: 'face-photo', private: true }, 'key', options);
}

/** Sets the current user's picture to the given one, or one that the user chooses. */
export async function updateAvatar(
  client: IdentityClient,
  input: { readonly photo?: Blob | undefined; readonly accept?: string | undefined } = {},
  options?: CallOptions,
): Promise<User> {
  requireUserId(client);
  const photo = input.photo ?? (await choosePhoto(client, input.accept));
  return updateProfile(client, { photo: await uploadPhoto(client, photo, options) }, options);
}

async function upload(
  client: IdentityClient,
  photo: Blob,
  query: Readonly<Record<string, string | boolean>>,
  wanted: 'url' | 'key',
  { signal }: CallOptions = {},
): Promise<string> {
  const body = new FormData();
  body.set('file', photo, FILE_NAME);
  const malformed = uploadFailed(client);
  const path = '/api/v2/upload';
  const reply = await client.rest({ method: 'POST', path, query, body, malformed, signal });
  const found = asRecord(reply)[wanted];
  if (typeof found === 'string') return found;
  throw report(client, malformed);
}

function uploadFailed(client: IdentityClient): IdentityError {
  const message = say(client.options.lang, { zh: '上传图片失败', en: 'upload image failed' });
  return new IdentityError(message, { code: 500 });
}
