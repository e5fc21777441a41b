import { z } from 'zod';
import {
  addNoteInput,
  countDevicesInput,
  createClaimInput,
  createDeviceClaimInput,
  createTargetListInput,
  deviceLifecycleInput,
  deviceReferenceInput,
  deviceRowsInput,
  exportDevicesInput,
  importDevicesInput,
  listClaimsInput,
  listDevicesInput,
  listViewsInput,
  saveViewInput,
  suggestValuesInput,
  updateDeviceInput,
  type ClaimRow,
  type CreatedClaim,
  type DeviceDetail,
  type DeviceExport,
  type DeviceRow,
  type FleetSummary,
  type ImportDevicesResult,
  type Note,
  type SavedView,
  type TargetList,
  type ValueSuggestion,
} from '@deviceportal/contract/devices';
import { idSchema } from '@deviceportal/contract/ids';
import type { CappedCount, Page, SearchPage } from '@deviceportal/contract/pages';
import {
  decideReEnrolmentInput,
  reEnrolmentOfDeviceInput,
  type ReEnrolmentRequest,
} from '@deviceportal/contract/re-enrolment';
import { permitted, router } from '../platform/api.ts';
import { addNote, listNotes, removeNote } from './keep-notes.ts';
import { changeLifecycle } from './change-lifecycle.ts';
import { countDevices } from './list/count-devices.ts';
import { createClaim } from './claims/create-claim.ts';
import { createDeviceClaim } from './claims/create-device-claim.ts';
import { createTargetList, getTargetList } from './list/keep-target-lists.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';

export type { DevicesDependencies } from './devices-dependencies.ts';
import { exportDevices } from './list/export-devices.ts';
import { getDevice } from './get-device.ts';
import { getDeviceRows } from './list/get-device-rows.ts';
import { importDevices } from './enrollment/import-devices.ts';
import { listClaims, revokeClaim } from './claims/list-claims.ts';
import { listDevicesPage, type CursorVault } from './list/list-devices-page.ts';
import { listViews, removeView, saveView } from './list/keep-views.ts';
import { approveReEnrolment, rejectReEnrolment } from './re-enrolment/decide-re-enrolment.ts';
import { getReEnrolment } from './re-enrolment/get-re-enrolment.ts';
import { createFleetSummary } from './list/summarize-fleet.ts';
import { suggestValues } from './list/suggest-values.ts';
import { updateDevice } from './update-device.ts';

const idInput = z.object({ id: idSchema });

export function createDevicesRouter(deps: DevicesDependencies & { readonly vault: CursorVault }) {
  const fleetSummary = createFleetSummary(deps);
  return router({
    list: permitted('devices:read')
      .input(listDevicesInput)
      .query(({ ctx, input }): Promise<SearchPage<DeviceRow>> =>
        listDevicesPage(deps, ctx.viewer, input),
      ),
    count: permitted('devices:read')
      .input(countDevicesInput)
      .query(({ ctx, input }): Promise<CappedCount> =>
        countDevices(deps, ctx.viewer, input.filter),
      ),
    get: permitted('devices:read')
      .input(deviceReferenceInput)
      .query(({ ctx, input }): Promise<DeviceDetail> => getDevice(deps, ctx.viewer, input.device)),
    getRows: permitted('devices:read')
      .input(deviceRowsInput)
      .query(({ ctx, input }): Promise<readonly DeviceRow[]> =>
        getDeviceRows(deps, ctx.viewer, input.ids),
      ),
    update: permitted('devices:manage')
      .input(updateDeviceInput)
      .mutation(({ ctx, input }): Promise<DeviceDetail> => updateDevice(deps, ctx, input)),
    suspend: permitted('devices:manage')
      .input(deviceLifecycleInput)
      .mutation(({ ctx, input }): Promise<DeviceDetail> =>
        changeLifecycle(deps, ctx, { ...input, act: 'suspend' }),
      ),
    resume: permitted('devices:manage')
      .input(deviceLifecycleInput)
      .mutation(({ ctx, input }): Promise<DeviceDetail> =>
        changeLifecycle(deps, ctx, { ...input, act: 'resume' }),
      ),
    retire: permitted('devices:manage')
      .input(deviceLifecycleInput)
      .mutation(({ ctx, input }): Promise<DeviceDetail> =>
        changeLifecycle(deps, ctx, { ...input, act: 'retire' }),
      ),
    suggest: permitted('devices:read')
      .input(suggestValuesInput)
      .query(({ ctx, input }): Promise<readonly ValueSuggestion[]> =>
        suggestValues(deps, ctx.viewer, input),
      ),
    fleetSummary: permitted('devices:read').query(({ ctx }): Promise<FleetSummary> =>
      fleetSummary(ctx.viewer),
    ),
    export: permitted('devices:read')
      .input(exportDevicesInput)
      .mutation(({ ctx, input }): Promise<DeviceExport> => exportDevices(deps, ctx, input)),
    createClaim: permitted('devices:manage')
      .input(createClaimInput)
      .mutation(({ ctx, input }): Promise<CreatedClaim> => createClaim(deps, ctx, input)),
    createDeviceClaim: permitted('devices:manage')
      .input(createDeviceClaimInput)
      .mutation(({ ctx, input }): Promise<CreatedClaim> => createDeviceClaim(deps, ctx, input)),
    getReEnrolment: permitted('devices:manage')
      .input(reEnrolmentOfDeviceInput)
      .query(({ ctx, input }): Promise<ReEnrolmentRequest | null> =>
        getReEnrolment(deps, ctx.viewer, input.deviceId),
      ),
    approveReEnrolment: permitted('devices:manage')
      .input(decideReEnrolmentInput)
      .mutation(({ ctx, input }): Promise<void> => approveReEnrolment(deps, ctx, input)),
    rejectReEnrolment: permitted('devices:manage')
      .input(decideReEnrolmentInput)
      .mutation(({ ctx, input }): Promise<void> => rejectReEnrolment(deps, ctx, input)),
    listClaims: permitted('devices:manage')
      .input(listClaimsInput)
      .query(({ ctx, input }): Promise<Page<ClaimRow>> => listClaims(deps, ctx.viewer, input)),
    revokeClaim: permitted('devices:manage')
      .input(idInput)
      .mutation(({ ctx, input }): Promise<void> => revokeClaim(deps, ctx, input.id)),
    import: permitted('devices:manage')
      .input(importDevicesInput)
      .mutation(({ ctx, input }): Promise<ImportDevicesResult> => importDevices(deps, ctx, input)),
    createTargetList: permitted('devices:read')
      .input(createTargetListInput)
      .mutation(({ ctx, input }): Promise<TargetList> => createTargetList(deps, ctx.viewer, input)),
    getTargetList: permitted('devices:read')
      .input(idInput)
      .query(({ ctx, input }): Promise<TargetList> => getTargetList(deps, ctx.viewer, input.id)),
    listNotes: permitted('devices:read')
      .input(z.object({ deviceId: idSchema }))
      .query(({ ctx, input }): Promise<readonly Note[]> =>
        listNotes(deps, ctx.viewer, input.deviceId),
      ),
    addNote: permitted('devices:read')
      .input(addNoteInput)
      .mutation(({ ctx, input }): Promise<Note> => addNote(deps, ctx, input)),
    removeNote: permitted('devices:read')
      .input(idInput)
      .mutation(({ ctx, input }): Promise<void> => removeNote(deps, ctx, input.id)),
    listViews: permitted('signed-in')
      .input(listViewsInput)
      .query(({ ctx, input }): Promise<readonly SavedView[]> =>
        listViews(deps, ctx.viewer, input.screen),
      ),
    saveView: permitted('signed-in')
      .input(saveViewInput)
      .mutation(({ ctx, input }): Promise<SavedView> => saveView(deps, ctx, input)),
    removeView: permitted('signed-in')
      .input(idInput)
      .mutation(({ ctx, input }): Promise<void> => removeView(deps, ctx, input.id)),
  });
}
