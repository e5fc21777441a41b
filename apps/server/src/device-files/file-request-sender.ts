import type { FileDown } from '@deviceportal/device-protocol/file-message';
import type { DownMessage } from '../gateway/device-transport.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import { findFileRequest } from './data/device-file-queries.ts';

export interface FileRequestSenderOptions {
  readonly database: Pick<Database, 'orm'>;
  readonly changes: ChangeFeed;
  readonly publish: (messages: readonly DownMessage[]) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * On a server that serves devices: sends them stored requests, which any server can have stored. They
 * were signed when the user asked.
 */
export function sendFileRequests({
  database,
  changes,
  publish,
  onError,
}: FileRequestSenderOptions): Disposable {
  const send = async (id: string): Promise<void> => {
    const row = await findFileRequest(database.orm, id);
    if (row?.state !== 'sent' || row.statement === null) return;
    const message = { kind: 'request', request: id, statement: row.statement } as const;
    publish([toFileMessage(row.deviceId, message)]);
  };
  return changes.subscribe((change) => {
    if (change.kind === 'file-request') send(change.requestId).catch(onError);
  });
}

export const toFileMessage = (deviceId: string, message: FileDown): DownMessage => ({
  ...{ deviceId, channel: 'files', qos: message.kind === 'request' ? 1 : 0 },
  payload: JSON.stringify(message),
});
