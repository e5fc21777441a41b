import { clientAddressFinder } from '../../platform/http/client-address.ts';
import type { PersonLinks } from '../../platform/person-links.ts';
import { repeat } from '../../platform/process/repeat.ts';
import type { ViewerFinder } from '../../session/find-viewer.ts';
import { addRecordingRoutes, signRecordingUrl } from '../../terminals/recording-routes.ts';
import { sweepTerminals } from '../../terminals/schedule-terminals.ts';
import type { TerminalDeps } from '../../terminals/terminal-deps.ts';
import { TerminalSockets } from '../../terminals/terminal-sockets.ts';
import type { SharedSecrets } from '../compose-gateway.ts';
import type { Composition } from '../composition.ts';

const SWEEP_EVERY_MS = 5_000;

/**
 * WebSockets of terminals, links to their recordings, and the end of sessions that no server holds.
 * Returns what their procedures need.
 */
export function composeTerminals(
  { platform, resources }: Composition,
  {
    viewers,
    terminalLines,
    links,
  }: Pick<SharedSecrets, 'terminalLines'> & {
    readonly viewers: ViewerFinder;
    readonly links: PersonLinks;
  },
): Pick<TerminalDeps, 'terminalLines' | 'signRecordingUrl'> {
  const { config, database, changes, logger, http } = platform;
  const parts = { database, changes, terminalLines };
  resources.use(
    new TerminalSockets({
      ...{ ...parts, logger, recent: terminalLines.recent },
      server: http.server,
      addressOf: clientAddressFinder(config.trustedProxies),
      findViewer: (token, origin) => viewers.find(token, origin),
    }),
  );
  resources.use(
    repeat(() => sweepTerminals(parts), {
      everyMs: SWEEP_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'terminal sweep failed'),
    }),
  );
  addRecordingRoutes(http, { database, links });
  return {
    terminalLines,
    signRecordingUrl: (sessionId, holder) => signRecordingUrl(links, sessionId, holder),
  };
}
