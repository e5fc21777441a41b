import type { ProviderContext } from '../provider/provider-context.ts';
import {
  createAccessKeyAdministration,
  type AccessKeyAdministration,
} from './access-key-administration.ts';
import {
  createApplicationAdministration,
  type ApplicationAdministration,
} from './application-administration.ts';
import {
  createConnectionAdministration,
  type ConnectionAdministration,
} from './connection-administration.ts';
import {
  createDepartmentAdministration,
  type DepartmentAdministration,
} from './department-administration.ts';
import { createRoleAdministration, type RoleAdministration } from './role-administration.ts';
import {
  createSamlServiceAdministration,
  type SamlServiceAdministration,
} from './saml-service-administration.ts';

/**
 * Administration of the provider. It does not check permissions: callers must have checked them,
 * and pass the actor. Every change is recorded in its transaction. An unknown object is PortalError
 * `notFound`.
 */
export interface ProviderAdministration {
  readonly applications: ApplicationAdministration;
  readonly accessKeys: AccessKeyAdministration;
  readonly samlServices: SamlServiceAdministration;
  readonly connections: ConnectionAdministration;
  readonly departments: DepartmentAdministration;
  readonly roles: RoleAdministration;
}

export function createProviderAdministration(context: ProviderContext): ProviderAdministration {
  return {
    applications: createApplicationAdministration(context),
    accessKeys: createAccessKeyAdministration(context),
    samlServices: createSamlServiceAdministration(context),
    connections: createConnectionAdministration(context),
    departments: createDepartmentAdministration(context),
    roles: createRoleAdministration(context),
  };
}
