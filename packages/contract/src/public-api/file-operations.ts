import { z } from 'zod';
import {
  DEVICE_FILE_LIMIT_BYTES,
  fileActions,
  fileFailures,
  fileParts,
  fileRequestStates,
  FILE_PAGE_SIZE,
  FILE_VIEW_BYTES,
  FOLDER_ENTRIES_LIMIT,
  folderSorts,
  listFolderInput,
  readFileInput,
} from '../devices/device-files.ts';
import { deviceReference, flagSchema, publicIdSchema, timestampSchema } from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

const KIB = 1_024;
const GIB = KIB ** 3;
const device = z.object({ device: deviceReference });
const reason = listFolderInput.shape.reason.meta({
  description: 'Why. Recorded in the audit trail, and written to the log of the device.',
});
const exchange = 'Without it, the folders that the device allows.';

const folderSchema = z
  .object({
    path: z.string(),
    offset: z.int().meta({ description: 'Position of the first item in the folder.' }),
    total: z.int(),
    complete: z.boolean().meta({
      description: 'False if the folder has more entries than the device reads.',
    }),
    writable: z.boolean(),
    items: z.array(
      z.object({
        name: z.string(),
        exact: z.boolean().meta({
          description: 'False if the name is not valid UTF-8, so that it cannot be opened.',
        }),
        kind: z.enum(['folder', 'file', 'link', 'other']),
        bytes: z.int().nullable(),
        modifiedAt: timestampSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'DeviceFolder' });

const transferSchema = z
  .object({
    id: publicIdSchema,
    action: z.enum(fileActions),
    path: z.string(),
    state: z.enum(fileRequestStates).meta({
      description: '`done` and `failed` are final. While it is `sent`, the device works on it.',
    }),
    failure: z.enum(fileFailures).nullable(),
    bytes: z.int().nullable().meta({ description: 'Null until it is known.' }),
    receivedBytes: z.int(),
    start: z.int().meta({ description: 'Position of the first byte in the file on the device.' }),
    totalBytes: z.int().nullable().meta({ description: 'Size of the file on the device.' }),
    sha256: z.string().nullable(),
    url: z.string().nullable().meta({
      description:
        'Of the content, relative to the portal, if the state is `done`. Valid for 5 minutes and while the token is; the content is kept for an hour.',
    }),
  })
  .meta({ id: 'FileTransfer' });

const toTransfer = {
  tag: 'Files',
  params: z.object({ transfer: publicIdSchema }),
  output: transferSchema,
  status: 200,
  permissions: ['files:read'],
} as const;

export const fileOperations = {
  listDeviceFiles: {
    method: 'get',
    path: '/devices/{device}/files',
    tag: 'Files',
    summary: 'List a folder of a device',
    description: `Asks the device, and waits up to 10 seconds. A page has ${FILE_PAGE_SIZE} items. Files are listed as they are, without redaction. Uploads require a second step and are therefore only in the portal.`,
    params: device,
    query: z.strictObject({
      path: listFolderInput.shape.path.default('').meta({ description: exchange }),
      reason,
      sort: z.enum(folderSorts).default('name'),
      descending: flagSchema,
      offset: z.coerce.number().int().min(0).max(FOLDER_ENTRIES_LIMIT).default(0),
    }),
    output: folderSchema,
    status: 200,
    permissions: ['files:read'],
  },
  createFileDownload: {
    method: 'post',
    path: '/devices/{device}/files/downloads',
    tag: 'Files',
    summary: 'Start to download a file of a device',
    description: `Files have at most ${DEVICE_FILE_LIMIT_BYTES / GIB} GiB. A part has ${FILE_VIEW_BYTES / KIB} KiB. Get the transfer about once a second until its state is final: a request that the device has lost is only sent again while it is followed.`,
    params: device,
    body: z
      .strictObject({
        path: readFileInput.shape.path,
        reason,
        part: z.enum(fileParts).default('whole'),
      })
      .meta({ id: 'NewFileDownload' }),
    output: z.object({ id: publicIdSchema }).meta({ id: 'CreatedFileDownload' }),
    status: 201,
    permissions: ['files:read'],
  },
  getFileTransfer: {
    method: 'get',
    path: '/file-transfers/{transfer}',
    summary: 'Get a transfer of this token, with a link to its content',
    ...toTransfer,
  },
  cancelFileTransfer: {
    method: 'post',
    path: '/file-transfers/{transfer}/cancel',
    summary: 'Cancel a transfer of this token',
    description: 'A transfer that has ended stays as it is.',
    ...toTransfer,
  },
} as const satisfies Record<string, PublicOperation>;
