import type { FileTransfer } from '@deviceportal/contract/device-files';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { Handlers } from '../operation-call.ts';

export const fileHandlers: Handlers<
  'listDeviceFiles' | 'createFileDownload' | 'getFileTransfer' | 'cancelFileTransfer'
> = {
  async listDeviceFiles({ portal, params, query: { path, descending = false, ...asked } }) {
    const folder = await portal.deviceFiles.list({
      ...{ deviceId: params.device, path, isDescending: descending, ...asked },
    });
    const { offset, total, isComplete: complete, isWritable: writable, entries } = folder;
    return {
      ...{ path, offset, total, complete, writable },
      items: entries.map(({ isExact: exact, ...entry }) => ({ ...entry, exact })),
    };
  },
  createFileDownload: ({ portal, params, body }) =>
    portal.deviceFiles.read({ deviceId: params.device, ...body }),
  getFileTransfer: async ({ portal, params }) =>
    transferOf(await portal.deviceFiles.transfer({ id: params.transfer })),
  async cancelFileTransfer({ portal, params: { transfer: id } }) {
    await portal.deviceFiles.cancel({ id });
    return transferOf(await portal.deviceFiles.transfer({ id }));
  },
};

const transferOf = (transfer: FileTransfer): OperationOutput<'getFileTransfer'> => ({
  ...transfer,
});
