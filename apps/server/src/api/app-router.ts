import type { AccessReviewsDeps } from '../access-reviews/access-reviews-deps.ts';
import { createAccessReviewsRouter } from '../access-reviews/access-reviews-router.ts';
import type { AccessDeps } from '../access/access-deps.ts';
import { createAccessRouter } from '../access/access-router.ts';
import type { AccessGrantDeps } from '../access/access-grants/access-grant-deps.ts';
import type { AirBlastDeps } from '../air-blast/air-blast-deps.ts';
import { createAirBlastRouter } from '../air-blast/air-blast-router.ts';
import { createApiCallsRouter } from '../api-calls/api-calls-router.ts';
import type { ApiTokensDeps } from '../api-tokens/api-tokens-deps.ts';
import { createApiTokensRouter } from '../api-tokens/api-tokens-router.ts';
import type { AlertsDeps } from '../alerts/alerts-deps.ts';
import { createAlertsRouter } from '../alerts/alerts-router.ts';
import type { HistorySources } from '../audit-trail/archive/list-archived-events.ts';
import type { AuditTrailDeps } from '../audit-trail/audit-trail-deps.ts';
import { createAuditTrailRouter } from '../audit-trail/audit-trail-router.ts';
import type { BackupsDeps } from '../backups/backups-deps.ts';
import { createBackupsRouter } from '../backups/backups-router.ts';
import { createCasesRouter } from '../cases/cases-router.ts';
import { stopQueued } from '../commands/execution/stop-queued.ts';
import type { CommandsDeps } from '../commands/commands-deps.ts';
import { createCommandsRouter } from '../commands/commands-router.ts';
import { createSchedulesRouter } from '../commands/schedules/schedules-router.ts';
import type { DevicesDependencies } from '../devices/devices-dependencies.ts';
import { createDevicesRouter } from '../devices/devices-router.ts';
import type { DocumentTestDeps } from '../documents/test-document.ts';
import { createDocumentsRouter } from '../documents/documents-router.ts';
import type { EvidenceDeps } from '../evidence/evidence-deps.ts';
import { createEvidenceRouter } from '../evidence/evidence-router.ts';
import { createExplanationsRouter } from '../explanations/explanations-router.ts';
import type { ImportsDeps } from '../imports/imports-deps.ts';
import { createImportsRouter } from '../imports/imports-router.ts';
import {
  createInstallationRouter,
  type InstallationRouterDeps,
} from '../installation/installation-router.ts';
import { createLegalHoldsRouter } from '../legal-holds/legal-holds-router.ts';
import { createLocationsRouter } from '../locations/locations-router.ts';
import { createNotificationsRouter } from '../notifications/notifications-router.ts';
import { createPackagesRouter } from '../packages/packages-router.ts';
import { createPeopleRouter } from '../people/people-router.ts';
import type { PasskeysDeps } from '../passkeys/passkeys-deps.ts';
import { createPasskeysRouter } from '../passkeys/passkeys-router.ts';
import type { PersonalDataDeps } from '../personal-data/personal-data-deps.ts';
import { createPersonalDataRouter } from '../personal-data/personal-data-router.ts';
import { router } from '../platform/api.ts';
import type { ProviderAdminDeps } from '../provider-admin/provider-admin-deps.ts';
import { findMadeByAccessGrant } from '../compose/find-made-by-access-grant.ts';
import { createProviderRouter } from '../provider-admin/provider-router.ts';
import type { ReportsDeps } from '../reports/reports-deps.ts';
import { createPresenceRouter } from '../presence/presence-router.ts';
import { createReportsRouter } from '../reports/reports-router.ts';
import { createFindingsRouter } from '../findings/findings-router.ts';
import type { SearchDeps } from '../search/find-anything.ts';
import { createSearchRouter } from '../search/search-router.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import { createSessionRouter, type SessionDependencies } from '../session/session-router.ts';
import type { DeviceHistoryDeps } from '../device-history/get-device-history.ts';
import type { DataSourcesDeps } from '../data-sources/data-sources-deps.ts';
import { createDataSourcesRouter } from '../data-sources/data-sources-router.ts';
import { createDeviceMetricsRouter } from '../device-metrics/device-metrics-router.ts';
import type { DeviceMetricsDeps } from '../device-metrics/get-device-metrics.ts';
import { createDeviceHistoryRouter } from '../device-history/device-history-router.ts';
import { createCheckInForecastRouter } from '../check-in-forecast/check-in-forecast-router.ts';
import { createSimilarDevicesRouter } from '../similar-devices/similar-devices-router.ts';
import type { UploadDeps } from '../versions/software-files/create-software-upload.ts';
import type { DeviceFilesDeps } from '../device-files/device-files-deps.ts';
import { createDeviceFilesRouter } from '../device-files/device-files-router.ts';
import { createStepUpRouter } from '../step-up/step-up-router.ts';
import type { StepUpDeps } from '../step-up/step-up-deps.ts';
import type { TicketsDeps } from '../tickets/tickets-deps.ts';
import { createTicketsRouter } from '../tickets/tickets-router.ts';
import type { TerminalDeps } from '../terminals/terminal-deps.ts';
import { createTerminalsRouter } from '../terminals/terminals-router.ts';
import type { WebPageDeps } from '../web-pages/web-page-deps.ts';
import { createWebPagesRouter } from '../web-pages/web-pages-router.ts';
import { createVersionsRouter } from '../versions/versions-router.ts';
import type { WebhooksDeps } from '../webhooks/webhooks-deps.ts';
import { createWebhooksRouter } from '../webhooks/webhooks-router.ts';

export interface AppRouterDependencies
  extends
    AccessDeps,
    AccessGrantDeps,
    AccessReviewsDeps,
    AirBlastDeps,
    AlertsDeps,
    ApiTokensDeps,
    AuditTrailDeps,
    BackupsDeps,
    HistorySources,
    CommandsDeps,
    DataSourcesDeps,
    DevicesDependencies,
    EvidenceDeps,
    ImportsDeps,
    InstallationRouterDeps,
    PasskeysDeps,
    PersonalDataDeps,
    ProviderAdminDeps,
    ReportsDeps,
    DocumentTestDeps,
    SessionDependencies,
    DeviceFilesDeps,
    DeviceHistoryDeps,
    DeviceMetricsDeps,
    StepUpDeps,
    TerminalDeps,
    TicketsDeps,
    UploadDeps,
    WebPageDeps,
    WebhooksDeps {
  readonly named: NamedSettings;
  readonly search: SearchDeps;
}

/** The product API: one router per domain; procedures are named by verbs. */
export function createAppRouter(deps: AppRouterDependencies) {
  return router({
    session: createSessionRouter(deps),
    passkeys: createPasskeysRouter(deps),
    stepUp: createStepUpRouter(deps),
    search: createSearchRouter(deps),
    devices: createDevicesRouter(deps),
    findings: createFindingsRouter(deps),
    checkInForecast: createCheckInForecastRouter(deps),
    similarDevices: createSimilarDevicesRouter(deps),
    deviceHistory: createDeviceHistoryRouter(deps),
    deviceMetrics: createDeviceMetricsRouter(deps),
    people: createPeopleRouter(deps),
    personalData: createPersonalDataRouter(deps),
    imports: createImportsRouter(deps),
    documents: createDocumentsRouter(deps),
    commands: createCommandsRouter(deps),
    schedules: createSchedulesRouter(deps),
    terminals: createTerminalsRouter(deps),
    deviceFiles: createDeviceFilesRouter(deps),
    webPages: createWebPagesRouter(deps),
    versions: createVersionsRouter(deps),
    packages: createPackagesRouter(deps),
    locations: createLocationsRouter(deps),
    auditTrail: createAuditTrailRouter(deps),
    cases: createCasesRouter(deps),
    tickets: createTicketsRouter(deps),
    reports: createReportsRouter(deps),
    evidence: createEvidenceRouter(deps),
    access: createAccessRouter({
      ...deps,
      stopQueued: (caller, userId) => stopQueued(deps, caller, userId),
      findCreatedObjects: (accessGrantId) => findMadeByAccessGrant(deps, accessGrantId),
    }),
    accessReviews: createAccessReviewsRouter(deps),
    legalHolds: createLegalHoldsRouter(deps),
    provider: createProviderRouter(deps),
    dataSources: createDataSourcesRouter(deps),
    backups: createBackupsRouter(deps),
    installation: createInstallationRouter(deps),
    airBlast: createAirBlastRouter(deps),
    alerts: createAlertsRouter(deps),
    explanations: createExplanationsRouter(deps),
    notifications: createNotificationsRouter(deps),
    presence: createPresenceRouter(deps),
    apiCalls: createApiCallsRouter(deps),
    apiTokens: createApiTokensRouter(deps),
    webhooks: createWebhooksRouter(deps),
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;
