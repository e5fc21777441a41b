import type { RequiredPermission } from '../platform/api.ts';
import { createAppRouter, type AppRouterDependencies } from './app-router.ts';

/** The part of tRPC's procedures that is read here. */
interface DescribedProcedure {
  readonly _def: { readonly meta?: { readonly permission: RequiredPermission } };
}

/** The permission that each procedure requires. A router without dependencies is sufficient to read them. */
export function permissionsByPath(): ReadonlyMap<string, RequiredPermission> {
  const { procedures } = createAppRouter({} as AppRouterDependencies)._def;
  return new Map(
    Object.entries<unknown>(procedures).flatMap(([path, procedure]) => {
      const { meta } = (procedure as DescribedProcedure)._def;
      return meta === undefined ? [] : [[path, meta.permission] as const];
    }),
  );
}
