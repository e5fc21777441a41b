import {
  deviceVersionHistoryInput,
  listInstalledVersionsInput,
  type ComponentSummary,
  type InstalledVersion,
  type VersionChange,
} from '@deviceportal/contract/versions';
import { scopesOf } from '@deviceportal/contract/permissions';
import { permitted, router } from '../platform/api.ts';
import type { Database } from '../platform/database/database.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import type { Viewer } from '../platform/viewer.ts';
import { listComponents } from './list-components.ts';
import { listDeviceVersions } from './list-device-versions.ts';
import { listInstalledVersions } from './list-installed-versions.ts';

export function createVersionsRouter(deps: { readonly database: Database }) {
  const components = keepFresh((viewer: Viewer) => listComponents(deps, viewer), fleetCounts);
  const installed = keepFresh(
    (asked: { viewer: Viewer; component: string | null }) =>
      listInstalledVersions(deps, asked.viewer, asked.component),
    fleetCounts,
  );
  return router({
    listComponents: permitted('versions:read').query(
      ({ ctx }): Promise<readonly ComponentSummary[]> =>
        components(scopeKey(ctx.viewer), ctx.viewer),
    ),
    listInstalled: permitted('versions:read')
      .input(listInstalledVersionsInput)
      .query(({ ctx, input }): Promise<readonly InstalledVersion[]> =>
        installed(`${input.component ?? ''}\n${scopeKey(ctx.viewer)}`, {
          viewer: ctx.viewer,
          component: input.component,
        }),
      ),
    deviceHistory: permitted('versions:read')
      .input(deviceVersionHistoryInput)
      .query(({ ctx, input }): Promise<readonly VersionChange[]> =>
        listDeviceVersions(deps, ctx.viewer, input.deviceId),
      ),
  });
}

function scopeKey(viewer: Viewer): string {
  return JSON.stringify(scopesOf(viewer.grants, ['versions:read']));
}
