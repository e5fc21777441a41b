import {
  connectionReference,
  type ConnectionRow,
  type ConnectionTest,
  type ProviderFacts,
} from '@deviceportal/contract/provider-admin';
import { permitted, router } from '../platform/api.ts';
import { createAccessKeysRouter } from './access-keys-router.ts';
import { createApplicationsRouter } from './applications-router.ts';
import { createDepartmentsRouter } from './departments-router.ts';
import { requireProvider, type ProviderAdminDeps } from './provider-admin-deps.ts';
import { createProviderRolesRouter } from './provider-roles-router.ts';
import { createSamlServicesRouter } from './saml-services-router.ts';

/** The identity provider at `/idp`: its applications, access keys, departments, and roles. */
export function createProviderRouter(deps: ProviderAdminDeps) {
  return router({
    get: permitted('provider:read').query((): ProviderFacts => ({
      host: deps.provider?.host ?? null,
      signsPortalIn: deps.provider?.signsPortalIn ?? false,
    })),
    applications: createApplicationsRouter(deps),
    accessKeys: createAccessKeysRouter(deps),
    samlServices: createSamlServicesRouter(deps),
    connections: router({
      list: permitted('provider:read').query((): readonly ConnectionRow[] =>
        requireProvider(deps).connections.list(),
      ),
      test: permitted('provider:manage')
        .input(connectionReference)
        .mutation(({ input }): Promise<ConnectionTest> =>
          requireProvider(deps).connections.test(input.identifier),
        ),
    }),
    departments: createDepartmentsRouter(deps),
    roles: createProviderRolesRouter(deps),
  });
}
