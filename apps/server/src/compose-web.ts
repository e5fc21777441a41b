import { join } from 'node:path';
import { createApiCallRecorder } from './api-calls/api-call-recorder.ts';
import { registerApiRoute } from './api-route.ts';
import { createAppRouter } from './app-router.ts';
import { addExportRoutes, signExportUrl } from './audit-trail/export-routes.ts';
import { addArtefactRoutes } from './commands/artefact-routes.ts';
import { createDirectoryArtefactStore } from './commands/artefact-store.ts';
import { signArtefactDownload } from './commands/sign-artefact-url.ts';
import type { IdentityParts } from './compose-identity.ts';
import type { SharedSecrets } from './compose-gateway.ts';
import type { Composition } from './composition.ts';
import { registerAgentDownloadRoutes } from './devices/agent-download-routes.ts';
import { findSearchHits } from './devices/find-search-hits.ts';
import { browserConfigOf } from './session/browser-config.ts';
import { registerBrowserConfigRoute } from './session/browser-config-route.ts';
import { createViewerFinder, type ViewerFinder } from './session/find-viewer.ts';
import { createTokenVerifier } from './session/token-verifier.ts';

const agentDir = join(import.meta.dirname, '../../agent');

/** Whoever asks with a token or a signature, as the portal knows them. */
export function composeViewers(
  { platform, clock }: Composition,
  { identity }: IdentityParts,
): ViewerFinder {
  const { userPoolClientId: clientId, issuer } = identity.settings;
  const { sessionDurationMinutes } = platform.config;
  return createViewerFinder({
    database: platform.database,
    tokens: createTokenVerifier({ issuer, clientId, fetchKeySet: async () => identity.keySet() }),
    clock,
    sessionDurationMinutes,
    isSignInRevoked: (originJti) => identity.isSignInRevoked(originJti),
  });
}

/** Product API, downloads, and what the browser must know first. */
export function composeWeb(
  composition: Composition,
  parts: IdentityParts & SharedSecrets & { readonly viewers: ViewerFinder },
): void {
  const { platform, resources, clock } = composition;
  const { config, database, changes, publicUrl, http, logger } = platform;
  const { signer, vault, viewers, directory } = parts;
  const exportsDir = join(config.reportDir, 'exports');
  const apiCalls = resources.use(
    createApiCallRecorder({ database }, (error) =>
      logger.warn({ err: error }, 'API calls were not written'),
    ),
  );
  const devices = { database, changes, clock, publicUrl };
  const appRouter = createAppRouter({
    ...devices,
    vault,
    directory,
    exportsDir,
    sessionDurationMinutes: config.sessionDurationMinutes,
    signArtefactUrl: (artefactId) => signArtefactDownload(signer, artefactId),
    signExportUrl: (fileName) => signExportUrl(signer, fileName),
    findDevices: (viewer, text, limit) => findSearchHits(devices, viewer, { text, limit }),
  });
  registerApiRoute(http, { appRouter, viewers, apiCalls, clock });
  registerBrowserConfigRoute(http, browserConfigOf(config, parts.identity.settings));
  registerAgentDownloadRoutes(http, {
    bundleFile: join(agentDir, 'dist', 'agent.mjs'),
    installerTemplateFile: join(agentDir, 'install.sh.template'),
    publicUrl,
  });
  const store = createDirectoryArtefactStore(
    join(config.dataDir, 'artefacts'),
    config.limits.collectedArtefactLimitBytes,
  );
  addArtefactRoutes(http, { database, signer, store });
  addExportRoutes(http, { signer, exportsDir });
}
