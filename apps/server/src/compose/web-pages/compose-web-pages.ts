import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../platform/config/config.ts';
import { clientAddressFinder } from '../../platform/http/client-address.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { pageOrigins, type PageOrigins } from '../../web-pages/pages-server/page-origins.ts';
import { PagesServer } from '../../web-pages/pages-server/pages-server.ts';
import { sweepWebPages } from '../../web-pages/sweep-web-pages.ts';
import type { WebPageDeps } from '../../web-pages/web-page-deps.ts';
import type { WebPageSender } from '../../web-pages/web-page-lines.ts';
import type { IdentityParts } from '../compose-identity.ts';
import type { Composition } from '../composition.ts';
import { validHolderFinder } from '../person-links/valid-holder-finder.ts';

const SWEEP_EVERY_MS = 2_000;

/**
 * The server of pages of devices, at a port of its own, and the end of their sessions. Returns what the
 * procedures need.
 */
export function composeWebPages(
  composition: Composition,
  parts: Pick<IdentityParts, 'identity' | 'provider'> & { readonly webPageLines: WebPageSender },
): Pick<WebPageDeps, 'webPageLines' | 'webPageOrigin'> {
  const { platform, resources } = composition;
  const { config, database, changes, logger } = platform;
  const { webPageLines } = parts;
  const findValidHolders = validHolderFinder(platform, parts);
  const origins = config.webPages && servePages(composition, webPageLines);
  const webPageOrigin = origins ? (label: string) => origins().of(label) : null;
  resources.use(
    repeat(() => sweepWebPages({ database, changes, webPageLines, findValidHolders }), {
      everyMs: SWEEP_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'sweep of web pages failed'),
    }),
  );
  return { webPageLines, webPageOrigin };
}

function servePages(
  { platform, resources, fail }: Composition,
  lines: WebPageSender,
): () => PageOrigins {
  const { config, database, changes, logger } = platform;
  const { origin, port = 0 } = config.webPages ?? {};
  let known: PageOrigins | undefined;
  const origins = (): PageOrigins => {
    known ??= pageOrigins(origin ?? ownOrigin(config, pages.server.address() as AddressInfo));
    return known;
  };
  const pages = resources.use(
    new PagesServer({
      ...{ database, changes, lines, origins, logger },
      tls: config.tls && {
        cert: readFileSync(config.tls.certificateFile, 'utf8'),
        key: readFileSync(config.tls.keyFile, 'utf8'),
      },
      trustedProxies: config.trustedProxies,
      addressOf: clientAddressFinder(config.trustedProxies),
    }),
  );
  pages.server.once('error', (cause) =>
    fail(
      new StartError(
        `Port ${port} for web pages of devices cannot be used. Choose another one with DEVICEPORTAL_WEB_PAGES_PORT.`,
        { cause },
      ),
    ),
  );
  pages.server.listen(port, config.host);
  return origins;
}

/** Browsers resolve names below `localhost` to this machine. */
const ownOrigin = ({ tls }: Pick<Config, 'tls'>, { port }: AddressInfo): string =>
  `${tls ? 'https' : 'http'}://*.localhost:${port}`;
