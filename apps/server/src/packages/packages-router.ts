import type { z } from 'zod';
import {
  listDevicePackagesInput,
  listPackageChangesInput,
  listPackageVersionsInput,
  searchPackagesInput,
  type DevicePackages,
  type PackageChange,
  type PackageSummary,
  type PackageVersionSpread,
} from '@deviceportal/contract/packages';
import type { Page } from '@deviceportal/contract/pages';
import { scopesOf } from '@deviceportal/contract/permissions';
import { permitted, router } from '../platform/api.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  listDevicePackages,
  listPackageChanges,
  type PackagesDeps,
} from './list-device-packages.ts';
import { listPackageVersions, searchPackages } from './search-packages.ts';

interface Asked<Input extends z.ZodType> {
  readonly viewer: Viewer;
  readonly input: z.infer<Input>;
}

/** Viewers with the same scope share cached results. */
function keyOf(viewer: Viewer, input: unknown): string {
  return JSON.stringify([scopesOf(viewer.grants, ['versions:read']), input]);
}

/** Packages that package managers have installed on devices; the company's own releases are in `versions`. */
export function createPackagesRouter(deps: PackagesDeps) {
  const found = keepFresh(
    ({ viewer, input }: Asked<typeof searchPackagesInput>) => searchPackages(deps, viewer, input),
    fleetCounts,
  );
  const spread = keepFresh(
    ({ viewer, input }: Asked<typeof listPackageVersionsInput>) =>
      listPackageVersions(deps, viewer, input.name),
    fleetCounts,
  );
  return router({
    search: permitted('versions:read')
      .input(searchPackagesInput)
      .query(({ ctx, input }): Promise<Page<PackageSummary>> =>
        found(keyOf(ctx.viewer, input), { viewer: ctx.viewer, input }),
      ),
    listVersions: permitted('versions:read')
      .input(listPackageVersionsInput)
      .query(({ ctx, input }): Promise<readonly PackageVersionSpread[]> =>
        spread(keyOf(ctx.viewer, input), { viewer: ctx.viewer, input }),
      ),
    listOfDevice: permitted('versions:read')
      .input(listDevicePackagesInput)
      .query(({ ctx, input }): Promise<DevicePackages> =>
        listDevicePackages(deps, ctx.viewer, input),
      ),
    listChanges: permitted('versions:read')
      .input(listPackageChangesInput)
      .query(({ ctx, input }): Promise<Page<PackageChange>> =>
        listPackageChanges(deps, ctx.viewer, input),
      ),
  });
}
