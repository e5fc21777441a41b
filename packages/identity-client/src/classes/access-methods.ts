import { hasRole } from '../access/has-role.ts';
import {
  listAuthorizedResources,
  type AuthorizedResourcePage,
  type ResourceType,
} from '../access/list-authorized-resources.ts';
import { listApplications, type ApplicationPage } from '../applications/list-applications.ts';
import {
  listDepartments,
  listOrganizations,
  type DepartmentPage,
} from '../organizations/list-departments.ts';
import {
  getUserValues,
  listUserValues,
  removeUserValue,
  setUserValue,
  setUserValues,
} from '../user-values/user-value-calls.ts';
import type { UserDefinedValue, UserValue } from '../user-values/user-value.ts';
import { AccountMethods } from './account-methods.ts';

/** Custom values, organizations, roles, and resources, with the arguments of `authing-js-sdk`. */
export class AccessMethods extends AccountMethods {
  listUdv(): Promise<readonly UserDefinedValue[]> {
    return listUserValues(this.client);
  }

  setUdv(key: string, value: unknown): Promise<readonly UserDefinedValue[]> {
    return setUserValue(this.client, { key, value });
  }

  removeUdv(key: string): Promise<readonly UserDefinedValue[]> {
    return removeUserValue(this.client, key);
  }

  getUdfValue(): Promise<Readonly<Record<string, UserValue>>> {
    return getUserValues(this.client);
  }

  setUdfValue(values: Readonly<Record<string, unknown>>): Promise<readonly UserDefinedValue[]> {
    return setUserValues(this.client, values);
  }

  async removeUdfValue(key: string): Promise<void> {
    await removeUserValue(this.client, key);
  }

  listOrgs(): Promise<unknown> {
    return listOrganizations(this.client);
  }

  listDepartments(): Promise<DepartmentPage> {
    return listDepartments(this.client);
  }

  hasRole(roleCode: string, namespace?: string): Promise<boolean> {
    return hasRole(this.client, roleCode, { namespace });
  }

  listAuthorizedResources(
    namespace: string,
    options?: { resourceType?: ResourceType },
  ): Promise<AuthorizedResourcePage> {
    return listAuthorizedResources(this.client, namespace, options);
  }

  listApplications(params?: { page?: number; limit?: number }): Promise<ApplicationPage> {
    return listApplications(this.client, params);
  }
}
