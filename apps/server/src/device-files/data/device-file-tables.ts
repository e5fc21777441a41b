import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type {
  FileAction,
  FileFailure,
  FilePart,
  FileRequestState,
} from '@deviceportal/contract/device-files';
import type { FolderPage } from '@deviceportal/device-protocol/file-message';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import { moment, portalNow } from '../../platform/columns.ts';

const count = (name: string) => bigint(name, { mode: 'number' });

/** What a user asked a device for: the content of a folder, a file, or to write a file. Kept for a day. */
export const deviceFileRequest = pgTable(
  'device_file_request',
  {
    id: uuid().primaryKey(),
    deviceId: uuid('device_id').notNull(),
    userId: uuid('user_id').notNull(),
    username: text().notNull(),
    /** The API token by which the user, or an application, asked. */
    tokenId: uuid('token_id'),
    tokenName: text('token_name'),
    action: text().$type<FileAction>().notNull(),
    path: text().notNull(),
    reason: text().notNull(),
    state: text().$type<FileRequestState>().notNull(),
    failure: text().$type<FileFailure>(),
    /** What the device receives; null until a written file is complete in the portal. */
    statement: jsonb().$type<SignedStatement>(),
    createdAt: moment('created_at').notNull().default(portalNow),
    sentAt: moment('sent_at').notNull().default(portalNow),
    /** The last time that bytes were received. */
    activeAt: moment('active_at').notNull().default(portalNow),
    endedAt: moment('ended_at'),
    /** The content of a folder, until it was shown. */
    page: jsonb().$type<FolderPage>(),
    part: text().$type<FilePart>(),
    overwrites: boolean().notNull().default(false),
    bytes: count('bytes'),
    receivedBytes: count('received_bytes').notNull().default(0),
    /** Position of the first byte in the file on the device. */
    start: count('start').notNull().default(0),
    /** Size of the file on the device. */
    totalBytes: count('total_bytes'),
    /** Of a file that is read: as the device announced it, and checked at the end. */
    sha256: text(),
    /** Key of the content in the file store; null after it was deleted. */
    storageKey: text('storage_key'),
  },
  (table) => [
    index('device_file_request_of_device').on(table.deviceId, table.createdAt),
    index('device_file_request_of_user').on(table.userId),
    index('device_file_request_by_time').on(table.createdAt),
    index('device_file_request_open')
      .on(table.activeAt)
      .where(sql`${table.state} in ('receiving', 'sent')`),
    index('device_file_request_content')
      .on(table.storageKey)
      .where(sql`${table.storageKey} is not null`),
  ],
);
