import {
  deviceFilesInput,
  fileTransferInput,
  listFolderInput,
  readFileInput,
  writeFileInput,
} from '@deviceportal/contract/device-files';
import { permitted, router } from '../platform/api.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';
import { cancelTransfer, followTransfer } from './follow-transfer.ts';
import { getFilesState } from './get-files-state.ts';
import { listFolder } from './list-folder.ts';
import { readFile } from './read-file.ts';
import { writeFile } from './write-file.ts';

/** Files on devices. Content is not here, but behind signed links. */
export function createDeviceFilesRouter(deps: DeviceFilesDeps) {
  return router({
    state: permitted(['files:read', 'files:write'])
      .input(deviceFilesInput)
      .query(({ ctx, input }) => getFilesState(deps, ctx.viewer, input)),
    list: permitted('files:read')
      .input(listFolderInput)
      .query(({ ctx, input }) => listFolder(deps, ctx, input)),
    read: permitted('files:read')
      .input(readFileInput)
      .mutation(({ ctx, input }) => readFile(deps, ctx, input)),
    write: permitted('files:write', 'writes-file')
      .input(writeFileInput)
      .mutation(({ ctx, input }) => writeFile(deps, ctx, input)),
    transfer: permitted(['files:read', 'files:write'])
      .input(fileTransferInput)
      .query(({ ctx, input }) => followTransfer(deps, ctx.viewer, input)),
    cancel: permitted(['files:read', 'files:write'])
      .input(fileTransferInput)
      .mutation(({ ctx, input }) => cancelTransfer(deps, ctx.viewer, input)),
  });
}
