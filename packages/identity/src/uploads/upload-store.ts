import type { Queryable } from '../database/in-transaction.ts';

export type UploadFolder = 'avatar' | 'face-photo';

export interface StoredUpload {
  readonly id: string;
  readonly folder: UploadFolder;
  readonly contentType: string;
  readonly sizeBytes: number;
}

export async function insertUpload(
  db: Queryable,
  upload: StoredUpload & {
    readonly addressHash: Buffer;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into identity.provider_upload
       (id, folder, content_type, size_bytes, address_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      upload.id,
      upload.folder,
      upload.contentType,
      upload.sizeBytes,
      upload.addressHash,
      upload.createdAt,
      upload.expiresAt,
    ],
  );
}

export async function insertUploadPart(
  db: Queryable,
  part: { readonly uploadId: string; readonly position: number; readonly bytes: Uint8Array },
): Promise<void> {
  await db.query(
    'insert into identity.provider_upload_part (upload_id, position, bytes) values ($1, $2, $3)',
    [part.uploadId, part.position, part.bytes],
  );
}

export async function completeUpload(db: Queryable, id: string, sizeBytes: number): Promise<void> {
  await db.query(
    'update identity.provider_upload set complete = true, size_bytes = $2 where id = $1',
    [id, sizeBytes],
  );
}

/** Only what was uploaded to its end. */
export async function findUpload(
  db: Queryable,
  folder: UploadFolder,
  id: string,
): Promise<StoredUpload | undefined> {
  const answer = await db.query<StoredUpload>(
    `select id, folder, content_type as "contentType", size_bytes as "sizeBytes"
       from identity.provider_upload where id = $1 and folder = $2 and complete`,
    [id, folder],
  );
  return answer.rows[0];
}

export async function readUploadPart(
  db: Queryable,
  uploadId: string,
  position: number,
): Promise<Buffer | undefined> {
  const answer = await db.query<{ bytes: Buffer }>(
    'select bytes from identity.provider_upload_part where upload_id = $1 and position = $2',
    [uploadId, position],
  );
  return answer.rows[0]?.bytes;
}

export async function deleteUploads(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query('delete from identity.provider_upload where id = any ($1)', [[...ids]]);
}

/**
 * A condition on `u`, an upload.
 * @param avatarUrl the parameter with the URL prefix of the IDs of used pictures
 */
export const isUnworn = (avatarUrl: `$${number}`): string => `not exists (
  select 1 from identity.provider_user p
   where p.profile ? 'photo' and p.profile ->> 'photo' = ${avatarUrl} || u.id)`;

/**
 * Deletes expired pictures that are not used as avatars.
 * @param avatarUrl URL prefix of their IDs
 */
export async function deleteExpiredUploads(
  db: Queryable,
  { now, avatarUrl }: { readonly now: Date; readonly avatarUrl: string },
): Promise<void> {
  await db.query(
    `delete from identity.provider_upload u where u.expires_at < $1 and ${isUnworn('$2')}`,
    [now, avatarUrl],
  );
}
