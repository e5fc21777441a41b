import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** A file that is downloaded from a device or uploaded to it. */
export const DEVICE_FILE_LIMIT_BYTES = 1_024 * MIB;
/** The first or last part of a file that is viewed as text. */
export const FILE_VIEW_BYTES = 64 * KIB;
/** An image that is viewed. */
export const IMAGE_VIEW_LIMIT_BYTES = 8 * MIB;
/** Entries of a folder that a device reads. Of larger folders, it shows so many. */
export const FOLDER_ENTRIES_LIMIT = 100_000;
export const FILE_PAGE_SIZE = 200;
export const FILE_PATH_LIMIT_CHARACTERS = 4_096;
/** NAME_MAX of Linux. */
export const FILE_NAME_LIMIT_BYTES = 255;

/** Requests in progress. Above these, new ones are refused. */
export const FILE_REQUEST_LIMITS = { perUser: 8, perDevice: 8, inAll: 200 } as const;
/** Content that a device sends or receives in 24 hours. */
export const DEVICE_FILE_BYTES_PER_DAY = 10 * 1_024 * MIB;
/** How long content is kept in the file store, and a link to it works. */
export const FILE_CONTENT_SECONDS = 3_600;
/** A transfer without progress for this time has failed. */
export const FILE_TRANSFER_PATIENCE_MS = 300_000;

/** Whether a device offers its files; `unsupported` for agents without them. */
export const fileOffers = ['available', 'unsupported', 'off', 'platform'] as const;
export type FileOfferState = (typeof fileOffers)[number];

/** Why a device refused a request. */
export const fileObstacles = [
  'off',
  'platform',
  'signature',
  'too-many',
  'outside',
  'protected',
  'not-found',
  'not-a-folder',
  'not-a-file',
  'denied',
  'name',
  'read-only',
  'exists',
  'too-large',
  'no-space',
  'changed',
  'digest',
  'transfer',
  'failed',
] as const;
export type FileObstacle = (typeof fileObstacles)[number];

/** Why a request failed. */
export const fileFailures = [...fileObstacles, 'not-answered', 'canceled', 'store-full'] as const;
export type FileFailure = (typeof fileFailures)[number];

/** `receiving`: the portal receives the file from the browser. `sent`: the device works on it. */
export const fileRequestStates = ['receiving', 'sent', 'done', 'failed'] as const;
export type FileRequestState = (typeof fileRequestStates)[number];

export const fileActions = ['list', 'read', 'write'] as const;
export type FileAction = (typeof fileActions)[number];

export const fileParts = ['start', 'end', 'whole'] as const;
export type FilePart = (typeof fileParts)[number];

export const folderSorts = ['name', 'bytes', 'modifiedAt'] as const;
export type FolderSort = (typeof folderSorts)[number];

const deviceId = z.string().max(64);
const path = z
  .string()
  .max(FILE_PATH_LIMIT_CHARACTERS)
  .refine((text) => !text.includes('\0'));
const reason = z.string().trim().min(3).max(500);

export const listFolderInput = z.object({
  deviceId,
  reason,
  /** Empty for the allowed folders. */
  path,
  sort: z.enum(folderSorts).default('name'),
  isDescending: z.boolean().default(false),
  offset: z.int().nonnegative().max(FOLDER_ENTRIES_LIMIT).default(0),
});

export const readFileInput = z.object({
  deviceId,
  reason,
  path: path.min(1),
  /** A part is viewed; a whole file is downloaded, or viewed as an image. */
  part: z.enum(fileParts),
});

export const writeFileInput = z.object({
  deviceId,
  reason,
  path: path.min(1),
  bytes: z.int().nonnegative().max(Number.MAX_SAFE_INTEGER),
  overwrites: z.boolean(),
});

export const fileTransferInput = z.object({ id: idSchema });
export const deviceFilesInput = z.object({ deviceId });

/** Whether a device offers files, and can be reached now. */
export interface DeviceFilesState {
  readonly offer: FileOfferState;
  readonly isConnected: boolean;
}

export interface DeviceFolderEntry {
  readonly name: string;
  /** False if the name on the device is not valid UTF-8, so that the entry cannot be opened. */
  readonly isExact: boolean;
  readonly kind: 'folder' | 'file' | 'link' | 'other';
  readonly bytes: number | null;
  readonly modifiedAt: Timestamp | null;
}

export interface DeviceFolder {
  readonly offset: number;
  readonly total: number;
  /** False if the folder has more entries than a device reads. */
  readonly isComplete: boolean;
  readonly isWritable: boolean;
  readonly entries: readonly DeviceFolderEntry[];
}

export interface FileTransfer {
  readonly id: string;
  readonly action: FileAction;
  readonly path: string;
  readonly state: FileRequestState;
  readonly failure: FileFailure | null;
  /** Null until it is known. */
  readonly bytes: number | null;
  readonly receivedBytes: number;
  /** Position of the first byte in the file, and the size of the file, of a file that is read. */
  readonly start: number;
  readonly totalBytes: number | null;
  /** Of the content; null until it is complete. */
  readonly sha256: string | null;
  /** Of content that was read. For this user, for at most an hour. */
  readonly url: string | null;
}

export interface StartedFileRead {
  readonly id: string;
}

export interface StartedFileWrite {
  readonly id: string;
  /** `PUT` in pieces, `GET` for the state. */
  readonly url: string;
}

/** Answer to a piece of a file. */
export interface FileUploadState {
  readonly bytes: number;
  /** Null until all bytes are received. */
  readonly sha256: string | null;
}
