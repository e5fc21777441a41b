import {
  adoptionInput,
  approvalTargetInput,
  approveSoftwareInput,
  changeSoftwareStateInput,
  createSoftwareUploadInput,
  deviceVersionHistoryInput,
  listInstalledVersionsInput,
  listSoftwareInput,
  registerSoftwareInput,
  type ComponentSummary,
  type InstalledVersion,
  type RestateProgress,
  type SoftwareApproval,
  type SoftwareUploadLink,
  type SoftwareVersionRow,
  type VersionAdoption,
  type VersionChange,
  type VersionMatrix,
} from '@deviceportal/contract/versions';
import { scopesOf } from '@deviceportal/contract/permissions';
import { permitted, router } from '../platform/api.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import type { Viewer } from '../platform/viewer.ts';
import { approveSoftware, withdrawApproval } from './approve-software.ts';
import { changeSoftwareState } from './change-software-state.ts';
import { createSoftwareUpload, type UploadDeps } from './software-files/create-software-upload.ts';
import { getVersionAdoption } from './get-version-adoption.ts';
import { getVersionMatrix } from './get-version-matrix.ts';
import { listComponents } from './list-components.ts';
import { listDeviceVersions } from './list-device-versions.ts';
import { listInstalledVersions } from './list-installed-versions.ts';
import { listApprovals, listSoftware } from './list-software.ts';
import { registerSoftware } from './register-software.ts';
import { restateProgress } from './data/restate-queries.ts';

export function createVersionsRouter(deps: UploadDeps) {
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
    list: permitted('versions:read')
      .input(listSoftwareInput)
      .query(({ ctx, input }): Promise<readonly SoftwareVersionRow[]> =>
        listSoftware(deps, ctx.viewer, input.component),
      ),
    listApprovals: permitted('versions:read')
      .input(listSoftwareInput)
      .query(({ ctx, input }): Promise<readonly SoftwareApproval[]> =>
        listApprovals(deps, ctx.viewer, input.component),
      ),
    getMatrix: permitted('versions:read')
      .input(listSoftwareInput)
      .query(({ ctx, input }): Promise<VersionMatrix> =>
        getVersionMatrix(deps, ctx.viewer, input.component),
      ),
    getRestateProgress: permitted('versions:read').query((): Promise<RestateProgress | null> =>
      restateProgress(deps.database.orm),
    ),
    getAdoption: permitted('versions:read')
      .input(adoptionInput)
      .query(({ ctx, input }): Promise<VersionAdoption> =>
        getVersionAdoption(deps, ctx.viewer, input),
      ),
    register: permitted('versions:manage')
      .input(registerSoftwareInput)
      .mutation(({ ctx, input }): Promise<void> => registerSoftware(deps, ctx, input)),
    createUpload: permitted('versions:manage')
      .input(createSoftwareUploadInput)
      .mutation(({ ctx, input }): Promise<SoftwareUploadLink> =>
        createSoftwareUpload(deps, ctx.viewer, input),
      ),
    changeState: permitted('versions:manage')
      .input(changeSoftwareStateInput)
      .mutation(({ ctx, input }): Promise<void> => changeSoftwareState(deps, ctx, input)),
    approve: permitted('versions:manage')
      .input(approveSoftwareInput)
      .mutation(({ ctx, input }): Promise<void> => approveSoftware(deps, ctx, input)),
    withdrawApproval: permitted('versions:manage')
      .input(approvalTargetInput)
      .mutation(({ ctx, input }): Promise<void> => withdrawApproval(deps, ctx, input)),
  });
}

function scopeKey(viewer: Viewer): string {
  return JSON.stringify(scopesOf(viewer.grants, ['versions:read']));
}
