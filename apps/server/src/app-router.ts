import { createAccessRouter, type AccessDependencies } from './access/access-router.ts';
import { createApiCallsRouter } from './api-calls/api-calls-router.ts';
import type { AuditTrailDeps } from './audit-trail/audit-trail-deps.ts';
import { createAuditTrailRouter } from './audit-trail/audit-trail-router.ts';
import type { CommandsDeps } from './commands/commands-deps.ts';
import { createCommandsRouter } from './commands/commands-router.ts';
import type { DevicesDependencies } from './devices/devices-dependencies.ts';
import { createDevicesRouter } from './devices/devices-router.ts';
import { createDocumentsRouter, type DocumentsDeps } from './documents/documents-router.ts';
import { createLocationsRouter } from './locations/locations-router.ts';
import { createPeopleRouter } from './people/people-router.ts';
import { router } from './platform/api.ts';
import { createReportsRouter } from './reports/reports-router.ts';
import { createSessionRouter, type SessionDependencies } from './session/session-router.ts';
import { createVersionsRouter } from './versions/versions-router.ts';

export interface AppRouterDependencies
  extends
    AccessDependencies,
    AuditTrailDeps,
    CommandsDeps,
    DevicesDependencies,
    DocumentsDeps,
    SessionDependencies {}

/** The product API: one router per noun, procedures are verbs. */
export function createAppRouter(deps: AppRouterDependencies) {
  return router({
    session: createSessionRouter(deps),
    devices: createDevicesRouter(deps),
    people: createPeopleRouter(deps),
    documents: createDocumentsRouter(deps),
    commands: createCommandsRouter(deps),
    versions: createVersionsRouter(deps),
    locations: createLocationsRouter(deps),
    auditTrail: createAuditTrailRouter(deps),
    reports: createReportsRouter(deps),
    access: createAccessRouter(deps),
    apiCalls: createApiCallsRouter(deps),
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;
