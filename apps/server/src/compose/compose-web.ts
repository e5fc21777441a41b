import { anchorPlacesOf } from '../audit-trail/anchors/open-anchors.ts';
import { composeTicketSending } from './alerts/compose-tickets.ts';
import { composeAlertSending } from './alerts/compose-alerts.ts';
import { backupSettings } from './backups/backup-settings.ts';
import type { HistoryParts } from './data-sources/compose-history.ts';
import { join } from 'node:path';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { OwnPasskeys } from '@deviceportal/contract/passkeys';
import type { AirBlastDeps } from '../air-blast/air-blast-deps.ts';
import { createApiCallRecorder } from '../api-calls/api-call-recorder.ts';
import { registerApiRoute } from '../api/api-route.ts';
import { createAppRouter } from '../api/app-router.ts';
import { permissionsByPath } from '../api/permissions-by-path.ts';
import { addExportRoutes, signExportUrl } from '../audit-trail/export/export-routes.ts';
import { addReportRoutes } from '../air-blast/report-routes.ts';
import { addResultsRoutes } from '../commands/answers/results-routes.ts';
import { addArtifactRoutes } from '../commands/artifacts/artifact-routes.ts';
import { createArtifactStore } from '../commands/artifacts/artifact-store.ts';
import { createTextVault } from '../commands/output/text-vault.ts';
import { isInvocationVisible } from '../commands/invocations/is-invocation-visible.ts';
import { createCaseBinder, type CaseBinder } from '../cases/create-case-binder.ts';
import type { Logger } from '../platform/logging.ts';
import type { IdentityParts } from './compose-identity.ts';
import { composePublicApi } from './api/compose-public-api.ts';
import { composePersonLinks } from './person-links/compose-person-links.ts';
import type { PersonalDataParts } from './compose-personal-data.ts';
import { composeScim } from './scim/compose-scim.ts';
import { composeSearch } from './compose-search.ts';
import { composeStepUp } from './step-up/compose-step-up.ts';
import { createStepUpGate } from '../step-up/create-step-up-gate.ts';
import type { ReportParts } from './compose-reports.ts';
import { addRecordRoutes, signRecordUrl } from '../personal-data/record/record-routes.ts';
import type { ImportsDeps } from '../imports/imports-deps.ts';
import { addImportRoutes, signImportUpload } from '../imports/upload-routes.ts';
import type { UrlSigner } from '../platform/files/url-signer.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';
import { addSharedReportRoutes, signShareUrl } from '../reports/sharing/shared-report-routes.ts';
import { addEvidenceRoutes, signEvidenceUrl } from '../evidence/evidence-routes.ts';
import { addUserReportRoutes, signUserReportUrl } from '../reports/user-report-routes.ts';
import type { Config, ProviderSetConfig } from '../platform/config/config.ts';
import { hasOwnUserPool } from '../platform/config/provider-origins.ts';
import type { PersonLinks } from '../platform/person-links.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { SharedSecrets } from './compose-gateway.ts';
import type { Composition } from './composition.ts';
import { AgentDownloads } from '../devices/enrollment/agent-downloads.ts';
import { registerAgentDownloadRoutes } from '../devices/enrollment/agent-download-routes.ts';
import { describeSecrets } from '../installation/describe-secrets.ts';
import { createDocumentTestRunner } from '../documents/run-document-test.ts';
import { signSoftwareUpload } from '../versions/software-files/sign-software-url.ts';
import { addSoftwareRoutes } from '../versions/software-files/software-routes.ts';
import { PROVIDER_PATH } from './open-provider.ts';
import { browserConfigOf } from '../session/browser-config.ts';
import { registerBrowserConfigRoute } from '../session/browser-config-route.ts';
import type { ViewerFinder } from '../session/find-viewer.ts';
import { requireAdministratorPasskeys } from '../passkeys/require-administrator-passkeys.ts';
import { StartError } from '../platform/process/start-error.ts';
import { composeDeviceFiles } from './device-files/compose-device-files.ts';
import { composeTerminals } from './terminals/compose-terminals.ts';
import { composeWebPages } from './web-pages/compose-web-pages.ts';

const agentDir = join(import.meta.dirname, '../../../agent');

/** How long data is stored that screens show over time. */
const retentionOf = ({ retention, deviceMetrics }: Config) => ({
  keptDays: retention.auditTrailColdDays,
  softwareHistoryDays: retention.softwareHistoryDays,
  metrics: { retention, sampleSeconds: deviceMetrics?.sampleSeconds ?? null },
});

type WebParts = IdentityParts &
  SharedSecrets & {
    readonly viewers: ViewerFinder;
    readonly airBlast: AirBlastDeps;
    readonly reports: ReportParts;
    readonly personalData: PersonalDataParts;
    readonly history: HistoryParts;
  };

/** Product API, downloads, and the browser configuration. */
export function composeWeb(composition: Composition, given: WebParts): void {
  const { platform, resources, clock } = composition;
  const parts = { ...given, viewers: composePasskeyRule(composition, given) };
  const { config, database, files, changes, publicUrl, http, logger } = platform;
  const { signer, vault, viewers, directory } = parts;
  const apiCalls = resources.use(
    createApiCallRecorder({ database, journalDir: join(config.dataDir, 'api-calls') }, (error) =>
      logger.warn({ err: error }, 'API call recording failed'),
    ),
  );
  const links = composePersonLinks(platform, { ...parts, signer });
  const downloads = openAgentDownloads(composition);
  const devices = {
    database,
    changes,
    clock,
    installCommand: (token: string) => downloads.installCommand(token),
  };
  const stepUp = composeStepUp(composition, parts);
  const appRouter = createAppRouter({
    ...{ publicUrl, vault },
    ...stepUp,
    ...parts.airBlast,
    ...devices,
    ...parts.reports,
    signShareUrl: (shareId, seconds) => signShareUrl({ signer, publicUrl }, shareId, seconds),
    maxLinkSeconds: config.limits.signedLinkMaxSeconds,
    apiTokenMaxDays: config.limits.apiTokenMaxDays,
    signUserReportUrl: (file, holder) => signUserReportUrl(links, file, holder),
    runDocumentTest: createDocumentTestRunner(join(agentDir, 'src/fleet/document-test/main.ts')),
    directory,
    passkeys: parts.identity.passkeys,
    passkeysAskedAt: passkeysAskedAt(config.providerSet),
    provider: parts.provider && {
      host: parts.provider.settings.baseUrl,
      signsPortalIn: !hasOwnUserPool(config.providerSet),
      administration: parts.provider.administration,
    },
    dataSources: config.dataSources,
    ...{ backups: backupSettings(composition), sendsMessages: config.messenger.kind !== 'outbox' },
    permissionsByPath,
    describeSecrets: () =>
      describeSecrets({
        ...{ database, secrets: composition.secrets, place: config.secrets.place },
        maxAgeDays: config.secretMaxAgeDays,
      }),
    notices: parts.notices,
    ...composeSealing(composition, signer),
    exportFiles: files.exports,
    ...parts.history,
    auditSigner: composition.auditSigner,
    ...retentionOf(config),
    anchors: anchorPlacesOf(config.audit.anchors),
    named: composition.named,
    softwareArtifactLimitBytes: config.limits.softwareArtifactLimitBytes,
    signSoftwareUpload: (upload, holder) => signSoftwareUpload(links, upload, holder),
    signExportUrl: (fileName, holder) => signExportUrl(links, fileName, holder),
    signEvidenceUrl: (fileName, holder) => signEvidenceUrl(links, fileName, holder),
    signRecordUrl: (fileName, holder) => signRecordUrl(links, fileName, holder),
    ...composeDeviceAccess(composition, { ...parts, links }),
    ...parts.personalData,
    search: composeSearch(devices),
  });
  const cases = bindCases(devices, logger);
  const shown = (output: unknown): unknown => parts.personalData.erasingNames.hide(output);
  const api = { appRouter, viewers, apiCalls, cases, shown, stepUp: createStepUpGate(stepUp) };
  registerApiRoute(http, { ...api, clock });
  composePublicApi(composition, { ...api, directory });
  registerBrowserConfigRoute(
    http,
    browserConfigOf(config, parts.identity.settings, {
      provider: providerFacts(parts),
      passkeys: parts.identity.passkeys.isAvailable && hasOwnUserPool(config.providerSet),
    }),
    composition.named,
  );
  registerAgentDownloadRoutes(http, downloads);
  composeScim(composition, parts);
  addFileRoutes(composition, parts, links);
}

/** Terminals on devices, their files, and their web pages. */
const composeDeviceAccess = (
  composition: Composition,
  parts: WebParts & { readonly links: PersonLinks },
) => ({
  ...composeTerminals(composition, parts),
  ...composeDeviceFiles(composition, parts),
  ...composeWebPages(composition, parts),
});

/** @throws StartError if a passkey is required where browsers offer none */
function composePasskeyRule(
  { platform: { config } }: Composition,
  { identity: { passkeys }, viewers }: WebParts,
): ViewerFinder {
  if (!config.signIn.administratorPasskeys) return viewers;
  if (passkeys.isAvailable) return requireAdministratorPasskeys(viewers, passkeys);
  throw new StartError(
    'DEVICEPORTAL_ADMINISTRATOR_PASSKEYS requires a public URL with https and a host name, because browsers offer passkeys only there.',
  );
}

function passkeysAskedAt(providerSet: ProviderSetConfig): OwnPasskeys['askedAt'] {
  if (hasOwnUserPool(providerSet)) return 'portal';
  return providerSet.source === 'embedded' ? 'provider' : null;
}

const bindCases = (
  devices: Omit<Parameters<typeof createCaseBinder>[0], 'onError'>,
  logger: Logger,
): CaseBinder =>
  createCaseBinder({
    ...devices,
    onError: (error) => logger.warn({ err: error }, 'case entry for a search not recorded'),
  });

/** Files that are downloaded or uploaded through signed links. */
function addFileRoutes(
  composition: Composition,
  { signer, vault }: WebParts,
  links: PersonLinks,
): void {
  const { config, database, files, http } = composition.platform;
  const { clock } = composition;
  const { exports: exportFiles, userReports: userReportFiles } = files;
  const store = createArtifactStore(files.artifacts, config.limits.collectedArtifactLimitBytes);
  const seesInvocation = (viewer: Viewer, id: string) =>
    isInvocationVisible({ database }, viewer, id);
  addArtifactRoutes(http, { database, signer, links, seesInvocation, store });
  addSoftwareRoutes(http, {
    database,
    clock,
    signer,
    links,
    files: files.software,
  });
  addImportRoutes(http, { database, signer, imports: composeImports(composition, signer) });
  addResultsRoutes(http, { database, vault, links });
  addReportRoutes(http, { database, links });
  addExportRoutes(http, { links, exportFiles });
  addEvidenceRoutes(http, { links, exportFiles });
  addRecordRoutes(http, { links, exportFiles });
  addSharedReportRoutes(http, { database, clock, signer, userReportFiles });
  addUserReportRoutes(http, { links, userReportFiles });
}

/** Slices that seal what they store with keys of their own. */
const composeSealing = (composition: Composition, signer: UrlSigner) => ({
  alerts: composeAlertSending(composition),
  imports: composeImports(composition, signer),
  tickets: composeTicketSending(composition),
});

const composeImports = ({ secrets }: Composition, signer: UrlSigner): ImportsDeps['imports'] => ({
  vault: createTextVault(secrets.keysFor(keyPurposes.imports)),
  signUpload: (importId) => signImportUpload(signer, importId),
});

const openAgentDownloads = ({ platform, secrets, clock }: Composition): AgentDownloads =>
  new AgentDownloads({
    bundleFile: join(agentDir, 'dist', 'agent.mjs'),
    packageFile: join(agentDir, 'package.json'),
    installerTemplateFile: join(agentDir, 'install.sh.template'),
    publicUrl: platform.publicUrl,
    ring: secrets.signingKeys('releases'),
    clock,
  });

/** Facts that applications need to use the provider at `/idp`. */
function providerFacts({ provider }: Pick<IdentityParts, 'provider'>): BrowserConfig['provider'] {
  if (provider === undefined) return null;
  const { application, userPoolId } = provider.settings;
  const { id: appId, redirectUris } = application;
  return { host: PROVIDER_PATH, appId, userPoolId, redirectUris };
}
