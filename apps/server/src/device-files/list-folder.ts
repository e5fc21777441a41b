import {
  FILE_PAGE_SIZE,
  type DeviceFolder,
  type listFolderInput,
} from '@deviceportal/contract/device-files';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type { z } from 'zod';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Caller } from '../platform/viewer.ts';
import { beginRequest, findFileDevice } from './begin-request.ts';
import { findFileRequest, forgetPage } from './data/device-file-queries.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';
import { endRequest } from './end-request.ts';
import { signFileRequest } from './sign-file-request.ts';

/** How long a device may begin, and the user waits. */
const BEGIN_MS = 30_000;
const ANSWER_MS = 10_000;
/** A notification of another server can be lost. */
const POLL_MS = 1_000;

/**
 * Asks a device for the content of a folder, and waits for it.
 * @throws PortalError 6000 outside the scope; 2004 if the device cannot be reached, does not answer,
 * or refuses
 */
export async function listFolder(
  deps: DeviceFilesDeps,
  caller: Caller,
  input: z.infer<typeof listFolderInput>,
): Promise<DeviceFolder> {
  const { database, changes, answerMs = ANSWER_MS } = deps;
  const { viewer } = caller;
  const { path, reason, sort, isDescending, offset } = input;
  const permission = 'files:read' as const;
  const deviceId = await findFileDevice(deps, viewer, { deviceId: input.deviceId, permission });
  const id = newId();
  const statement = await signFileRequest(deps, {
    ...{ id, deviceId, path, reason, validMs: BEGIN_MS },
    ...{ userId: viewer.userId, username: viewer.username },
    does: { action: 'list', sort, isDescending, offset, limit: FILE_PAGE_SIZE },
  });
  await beginRequest(deps, viewer, {
    ...{ id, deviceId, path, reason, statement, action: 'list', state: 'sent' },
  });
  using ended = whenEnded(changes, id);
  changes.publish([{ kind: 'file-request', requestId: id }]);
  const deadline = performance.now() + answerMs;
  for (;;) {
    await ended.within(Math.min(POLL_MS, deadline - performance.now()));
    const row = await findFileRequest(database.orm, id);
    if (row === undefined) throw new PortalError('notFound');
    if (row.page !== null) {
      await forgetPage(database.orm, id);
      return row.page;
    }
    if (row.failure !== null) throw refuse('files-refused', { facts: { failure: row.failure } });
    if (performance.now() >= deadline) await endRequest(deps, { id, failure: 'not-answered' });
  }
}

interface Ending extends Disposable {
  readonly within: (ms: number) => Promise<void>;
}

/** Waits for the end of a request. */
function whenEnded(changes: Pick<ChangeFeed, 'subscribe'>, requestId: string): Ending {
  const { promise, resolve } = Promise.withResolvers<void>();
  const subscription = changes.subscribe((change) => {
    if (change.kind === 'file-request-ended' && change.requestId === requestId) resolve();
  });
  return {
    async within(ms) {
      const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
      const timer = setTimeout(giveUp, Math.max(0, ms));
      await Promise.race([promise, late]);
      clearTimeout(timer);
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}
