/**
 * What a server signs, so that only a user of the portal reaches files. It contains the link of the
 * content, too: a broker cannot send content elsewhere.
 */

import { z } from 'zod';
import { FILE_PAGE_SIZE, FILE_PATH_LIMIT_CHARACTERS } from '@deviceportal/contract/device-files';

const path = z.string().max(FILE_PATH_LIMIT_CHARACTERS);
const bytes = z.int().nonnegative();
/** Relative to the server of the device. */
const url = z
  .string()
  .max(1_024)
  .regex(/^\/(?!\/)/);

const common = {
  request: z.uuid(),
  deviceId: z.string(),
  authorizedBy: z.object({ id: z.string() }),
  /** Written to the log of the device. */
  userName: z.string().max(200),
  reason: z.string().max(1_000),
  /** Must not begin after this time. */
  startBefore: z.iso.datetime(),
  /** An empty path names the allowed folders. */
  path,
};

export const fileStatementSchema = z.discriminatedUnion('action', [
  z.object({
    ...common,
    action: z.literal('list'),
    sort: z.enum(['name', 'bytes', 'modifiedAt']),
    isDescending: z.boolean(),
    offset: z.int().nonnegative(),
    limit: z.int().min(1).max(FILE_PAGE_SIZE),
  }),
  z.object({
    ...common,
    action: z.literal('read'),
    /** The first or the last bytes of a file, or all of it, which then has no more than these. */
    part: z.enum(['start', 'end', 'whole']),
    limitBytes: bytes,
    url,
  }),
  z.object({
    ...common,
    action: z.literal('write'),
    bytes,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    overwrites: z.boolean(),
    url,
  }),
]);

export type FileStatement = z.infer<typeof fileStatementSchema>;
export type ListStatement = Extract<FileStatement, { action: 'list' }>;
export type ReadStatement = Extract<FileStatement, { action: 'read' }>;
export type WriteStatement = Extract<FileStatement, { action: 'write' }>;
