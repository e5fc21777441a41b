import { sendFileRequests } from '../../device-files/file-request-sender.ts';
import { FileAnswers } from '../../device-files/ingest-file-answers.ts';
import type { DeviceTransport } from '../../gateway/device-transport.ts';
import type { GatewayOptions } from '../../gateway/gateway.ts';
import type { Composition } from '../composition.ts';

/** Files of devices on a server that serves devices: sends requests, and takes answers. */
export function serveDeviceFiles(
  { platform, resources }: Composition,
  transport: Pick<DeviceTransport, 'publish'>,
): NonNullable<GatewayOptions['files']> {
  const { database, changes, logger } = platform;
  const publish: DeviceTransport['publish'] = (messages) => transport.publish(messages);
  resources.use(
    sendFileRequests({
      ...{ database, changes, publish },
      onError: (error) => logger.warn({ err: error }, 'file request not sent'),
    }),
  );
  return (refuse) => new FileAnswers({ database, changes, publish, refuse });
}
