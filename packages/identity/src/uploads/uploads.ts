import { addressBucket } from '@deviceportal/contract/address-bucket';
import { newId } from '@deviceportal/contract/ids';
import { inTransaction } from '../database/in-transaction.ts';
import { sameBytes } from '../secrets/secret-hash.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { inParts } from './in-parts.ts';
import { makeUploadRoom } from './make-upload-room.ts';
import { uploadLimits } from './upload-limits.ts';
import { uploadRefusals } from './upload-refusals.ts';
import {
  completeUpload,
  deleteExpiredUploads,
  deleteUploads,
  findUpload,
  insertUpload,
  insertUploadPart,
  readUploadPart,
  type StoredUpload,
  type UploadFolder,
} from './upload-store.ts';

export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const PART_BYTES = 256 * 1024;
const LINK_LIFE_MS = 10 * 60_000;

interface Folder {
  readonly types: readonly string[];
  readonly isPrivate: boolean;
  /** How long an unused picture is kept. */
  readonly lifeMs: number;
}

/** Face photos: docs/design/sign-in.md, section 5. No format here can hold a script. */
const folders: Readonly<Record<UploadFolder, Folder>> = {
  avatar: {
    types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/bmp'],
    isPrivate: false,
    lifeMs: 24 * 3_600_000,
  },
  'face-photo': {
    types: ['image/jpeg', 'image/png', 'image/bmp'],
    isPrivate: true,
    lifeMs: 3_600_000,
  },
};

interface NewPicture {
  readonly folder: UploadFolder;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Of the client. */
  readonly address: string;
  /** Its largest size, where the client announced one. */
  readonly mostBytes?: number | undefined;
}

interface SignedQuery {
  readonly expires?: string | undefined;
  readonly signature?: string | undefined;
}

/** A picture that can be read. */
export interface OpenUpload extends StoredUpload {
  parts(): AsyncGenerator<Uint8Array, void>;
}

/**
 * Pictures, kept in the database in parts, so that every server has them. Names are made here: nothing of what a client
 * sends becomes part of one.
 */
export interface Uploads {
  /** @throws ProviderError noPicture, tooLarge, tooManyRequests */
  save(picture: NewPicture): Promise<StoredUpload>;
  open(folder: UploadFolder, id: string): Promise<OpenUpload | undefined>;
  /** Public for avatars; private pictures have an address that is signed and ends. */
  urlOf(upload: Pick<StoredUpload, 'folder' | 'id'>): string;
  isSigned(id: string, query: SignedQuery): boolean;
  remove(ids: readonly string[]): Promise<void>;
  deleteExpired(): Promise<void>;
}

export function createUploads(
  {
    db,
    clock,
    hash,
    box,
    settings,
  }: Pick<ProviderContext, 'db' | 'clock' | 'hash' | 'box' | 'settings'>,
  limits = uploadLimits,
): Uploads {
  const avatarUrl = `${settings.baseUrl}/uploads/avatar/`;
  const signatureOf = (id: string, expires: string): Buffer => hash('provider-upload', id, expires);
  const atOnce = settings.limits === 'on' ? limits : { ...limits, addressBytes: Infinity };
  const begin = async (id: string, contentType: string, picture: NewPicture): Promise<void> => {
    const { folder, address, mostBytes = MAX_PICTURE_BYTES } = picture;
    const now = new Date(clock.now());
    const addressHash = hash('provider-upload-address', addressBucket(address));
    const sizeBytes = Math.min(mostBytes, MAX_PICTURE_BYTES);
    const expiresAt = new Date(clock.now() + folders[folder].lifeMs);
    const isBegun = await inTransaction(db, async (client) => {
      const wanted = { bytes: sizeBytes, addressHash, now, avatarUrl };
      if (!(await makeUploadRoom(client, wanted, atOnce))) return false;
      const upload = { id, folder, contentType, sizeBytes, addressHash, createdAt: now, expiresAt };
      await insertUpload(client, upload);
      return true;
    });
    if (!isBegun) throw new ProviderError(refusals.tooManyRequests);
  };
  return {
    async save(picture) {
      const id = newId();
      try {
        const saved = await saveParts({ db, box }, id, picture, (contentType) =>
          begin(id, contentType, picture),
        );
        await completeUpload(db, id, saved.sizeBytes);
        return { id, folder: picture.folder, ...saved };
      } catch (error) {
        await deleteUploads(db, [id]);
        throw error;
      }
    },
    async open(folder, id) {
      const upload = await findUpload(db, folder, id);
      if (upload === undefined) return undefined;
      return { ...upload, parts: () => readParts({ db, box }, upload) };
    },
    urlOf({ folder, id }) {
      if (!folders[folder].isPrivate) return avatarUrl + id;
      const expires = String(clock.now() + LINK_LIFE_MS);
      const signature = signatureOf(id, expires).toString('base64url');
      return `${settings.baseUrl}/uploads/${folder}/${id}?expires=${expires}&signature=${signature}`;
    },
    isSigned(id, { expires = '', signature = '' }) {
      if (!/^\d{1,15}$/.test(expires) || Number(expires) < clock.now()) return false;
      return sameBytes(Buffer.from(signature, 'base64url'), signatureOf(id, expires));
    },
    remove: (ids) => deleteUploads(db, ids),
    deleteExpired: () => deleteExpiredUploads(db, { now: new Date(clock.now()), avatarUrl }),
  };
}

type PartsContext = Pick<ProviderContext, 'db' | 'box'>;

const ownerOf = (id: string, position: number): string => `upload ${id} ${position}`;

/**
 * Saves each part in a separate statement, because a transaction would hold a connection while a
 * slow client sends.
 * @param begin stores the upload after its first part has shown the type of the picture
 * @throws ProviderError noPicture, tooLarge
 */
async function saveParts(
  { db, box }: PartsContext,
  id: string,
  picture: NewPicture,
  begin: (contentType: string) => Promise<void>,
) {
  const { types, isPrivate } = folders[picture.folder];
  let position = 0;
  let sizeBytes = 0;
  let contentType = '';
  for await (const part of inParts(picture.bytes, PART_BYTES)) {
    sizeBytes += part.byteLength;
    if (sizeBytes > MAX_PICTURE_BYTES) throw new ProviderError(uploadRefusals.tooLarge);
    if (position === 0) {
      // Loaded with the first picture: few calls need it, and the server is ready sooner.
      const { fileTypeFromBuffer } = await import('file-type');
      contentType = (await fileTypeFromBuffer(part))?.mime ?? '';
      if (!types.includes(contentType)) throw new ProviderError(uploadRefusals.noPicture);
      await begin(contentType);
    }
    const kept = isPrivate
      ? box.seal(Buffer.from(part).toString('base64'), ownerOf(id, position))
      : part;
    await insertUploadPart(db, { uploadId: id, position, bytes: kept });
    position += 1;
  }
  if (position === 0) throw new ProviderError(uploadRefusals.noPicture);
  return { contentType, sizeBytes };
}

async function* readParts(
  { db, box }: PartsContext,
  { id, folder }: Pick<StoredUpload, 'id' | 'folder'>,
): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; ; position += 1) {
    const kept = await readUploadPart(db, id, position);
    if (kept === undefined) return;
    yield folders[folder].isPrivate
      ? Buffer.from(box.open(kept, ownerOf(id, position)), 'base64')
      : kept;
  }
}
