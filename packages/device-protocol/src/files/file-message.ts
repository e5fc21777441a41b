/**
 * Messages about files of a device: `down/files` and `up/files`. Requests are signed, and repeated
 * until they are answered; an answer is repeated until `done`. Content is not here: the agent sends
 * and fetches it by the link of the request. Agents without files ignore the topic, and do not state
 * `files` in their birth message.
 */

import { z } from 'zod';
import {
  FILE_NAME_LIMIT_BYTES,
  FILE_PAGE_SIZE,
  fileObstacles,
} from '@deviceportal/contract/device-files';
import { signedStatementSchema } from '../messages.ts';

const request = z.uuid();
const bytes = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const folderEntrySchema = z.object({
  name: z.string().max(FILE_NAME_LIMIT_BYTES * 2),
  /** False if the name on the device is not valid UTF-8, so that the entry cannot be opened. */
  isExact: z.boolean(),
  kind: z.enum(['folder', 'file', 'link', 'other']),
  /** Of files. */
  bytes: bytes.nullable(),
  modifiedAt: z.iso.datetime().nullable(),
});

/** Part of a folder. The allowed folders are the content of the folder with an empty path. */
export const folderPageSchema = z.object({
  /** Position of the first entry. */
  offset: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** False if the folder has more entries than were read. */
  isComplete: z.boolean(),
  isWritable: z.boolean(),
  entries: z.array(folderEntrySchema).max(FILE_PAGE_SIZE),
});

export const fileUpSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listed'), request, page: folderPageSchema }),
  z.object({ kind: z.literal('refused'), request, reason: z.enum(fileObstacles) }),
  /** The file is complete, and has its name. */
  z.object({ kind: z.literal('written'), request, bytes, sha256 }),
  /** Received bytes of a file that is being written. */
  z.object({ kind: z.literal('progress'), request, bytes }),
]);

export const fileDownSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), request, statement: signedStatementSchema }),
  /** The answer is stored. Also sent for a request that the server does not know. */
  z.object({ kind: z.literal('done'), request }),
]);

export type FolderPage = z.infer<typeof folderPageSchema>;
export type FolderEntry = z.infer<typeof folderEntrySchema>;
export type FileUp = z.infer<typeof fileUpSchema>;
export type FileDown = z.infer<typeof fileDownSchema>;
