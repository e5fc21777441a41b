import { newId } from '@deviceportal/contract/ids';
import { sameBytes } from '../../secrets/secret-hash.ts';
import type { ProviderContext } from '../provider-context.ts';
import { ProviderError } from '../wire/provider-error.ts';
import { inParts } from './in-parts.ts';
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
  /** How long a picture stays that nobody uses. */
  readonly lifeMs: number;
}

/** Face photos: sign-in specification, section 5. No format here can hold a script. */
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

interface NewUpload {
  readonly id: string;
  readonly folder: UploadFolder;
  readonly bytes: AsyncIterable<Uint8Array>;
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
  /** @throws ProviderError noPicture, tooLarge */
  save(folder: UploadFolder, bytes: AsyncIterable<Uint8Array>): Promise<StoredUpload>;
  open(folder: UploadFolder, id: string): Promise<OpenUpload | undefined>;
  /** Public for avatars; private pictures have an address that is signed and ends. */
  urlOf(upload: Pick<StoredUpload, 'folder' | 'id'>): string;
  isSigned(id: string, query: SignedQuery): boolean;
  remove(ids: readonly string[]): Promise<void>;
  deleteExpired(): Promise<void>;
}

export function createUploads({
  db,
  clock,
  hash,
  box,
  settings,
}: Pick<ProviderContext, 'db' | 'clock' | 'hash' | 'box' | 'settings'>): Uploads {
  const avatarUrl = `${settings.baseUrl}/uploads/avatar/`;
  const signatureOf = (id: string, expires: string): Buffer => hash('provider-upload', id, expires);
  const ownerOf = (id: string, position: number): string => `upload ${id} ${position}`;
  // Each part by itself: a transaction would hold a connection for as long as a slow client likes.
  const saveParts = async ({ id, folder, bytes }: NewUpload) => {
    const { types, isPrivate, lifeMs } = folders[folder];
    let position = 0;
    let sizeBytes = 0;
    let contentType = '';
    for await (const part of inParts(bytes, PART_BYTES)) {
      sizeBytes += part.byteLength;
      if (sizeBytes > MAX_PICTURE_BYTES) throw new ProviderError(uploadRefusals.tooLarge);
      if (position === 0) {
        // Libraries that few calls need are loaded with the first of them: a server is ready sooner.
        const { fileTypeFromBuffer } = await import('file-type');
        contentType = (await fileTypeFromBuffer(part))?.mime ?? '';
        if (!types.includes(contentType)) throw new ProviderError(uploadRefusals.noPicture);
        const createdAt = new Date(clock.now());
        const expiresAt = new Date(clock.now() + lifeMs);
        await insertUpload(db, { id, folder, contentType, createdAt, expiresAt });
      }
      const kept = isPrivate
        ? box.seal(Buffer.from(part).toString('base64'), ownerOf(id, position))
        : part;
      await insertUploadPart(db, { uploadId: id, position, bytes: kept });
      position += 1;
    }
    if (position === 0) throw new ProviderError(uploadRefusals.noPicture);
    return { contentType, sizeBytes };
  };
  return {
    async save(folder, bytes) {
      const id = newId();
      try {
        const saved = await saveParts({ id, folder, bytes });
        await completeUpload(db, id, saved.sizeBytes);
        return { id, folder, ...saved };
      } catch (error) {
        await deleteUploads(db, [id]);
        throw error;
      }
    },
    async open(folder, id) {
      const upload = await findUpload(db, folder, id);
      if (upload === undefined) return undefined;
      return {
        ...upload,
        async *parts() {
          for (let position = 0; ; position += 1) {
            const kept = await readUploadPart(db, id, position);
            if (kept === undefined) return;
            yield folders[folder].isPrivate
              ? Buffer.from(box.open(kept, ownerOf(id, position)), 'base64')
              : kept;
          }
        },
      };
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
