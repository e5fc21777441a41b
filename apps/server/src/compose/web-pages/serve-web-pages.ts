import { WEB_PAGE_KEEP_MS } from '@deviceportal/device-protocol/web-page-message';
import type { DeviceTransport } from '../../gateway/device-transport.ts';
import type { GatewayOptions } from '../../gateway/gateway.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { WebPageIngest } from '../../web-pages/ingest-web-page-messages.ts';
import { keepWebPages } from '../../web-pages/keep-web-pages.ts';
import type { WebPageSender } from '../../web-pages/web-page-lines.ts';
import type { Composition } from '../composition.ts';

/** Web pages on a server that serves devices: sends to them, and takes what they send. */
export function serveWebPages(
  { platform, resources }: Composition,
  {
    webPageLines,
    transport,
  }: {
    readonly webPageLines: WebPageSender;
    readonly transport: Pick<DeviceTransport, 'publish'>;
  },
): NonNullable<GatewayOptions['webPages']> {
  const { database, changes, logger } = platform;
  webPageLines.connect((messages) => transport.publish(messages));
  resources.use(
    repeat(() => keepWebPages({ database, webPageLines }), {
      everyMs: WEB_PAGE_KEEP_MS,
      onError: (error) => logger.warn({ err: error }, 'web pages not kept'),
    }),
  );
  return (refuse) => resources.use(new WebPageIngest({ database, changes, webPageLines, refuse }));
}
