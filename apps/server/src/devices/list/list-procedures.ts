import { z } from 'zod';
import {
  countDevicesInput,
  createTargetListInput,
  deviceRowsInput,
  exportDevicesInput,
  listDevicesInput,
  listViewsInput,
  saveViewInput,
  suggestValuesInput,
  type DeviceExport,
  type DeviceRow,
  type FleetSummary,
  type SavedView,
  type TargetList,
  type ValueSuggestion,
} from '@deviceportal/contract/devices';
import { idSchema } from '@deviceportal/contract/ids';
import type { CappedCount, SearchPage } from '@deviceportal/contract/pages';
import { holds } from '@deviceportal/contract/permissions';
import { permitted } from '../../platform/api.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { countDevices } from './count-devices.ts';
import { exportDevices } from './export-devices.ts';
import { getDeviceRows } from './get-device-rows.ts';
import { createTargetList, getTargetList } from './target-lists.ts';
import { listViews, removeView, saveView } from './saved-views.ts';
import { listDevicesPage, type CursorVault } from './list-devices-page.ts';
import { suggestValues } from './suggest-values.ts';
import { createFleetSummary } from './summarize-fleet.ts';

const idInput = z.object({ id: idSchema });

/** The list of devices, with saved views and target lists. */
export function listProcedures(deps: DevicesDependencies & { readonly vault: CursorVault }) {
  const fleetSummary = createFleetSummary(deps);
  return {
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
    getRows: permitted('devices:read')
      .input(deviceRowsInput)
      .query(({ ctx, input }): Promise<readonly DeviceRow[]> =>
        getDeviceRows(deps, ctx.viewer, input.ids),
      ),
    suggest: permitted('devices:read')
      .input(suggestValuesInput)
      .query(({ ctx, input }): Promise<readonly ValueSuggestion[]> =>
        suggestValues(deps, ctx.viewer, input),
      ),
    fleetSummary: permitted('devices:read').query(({ ctx }): Promise<FleetSummary> =>
      fleetSummary(ctx.viewer),
    ),
    export: permitted('devices:read', {
      purpose: 'reveals-personal-data',
      when: 'with `people:read`, because the file names owners',
    })
      .input(exportDevicesInput)
      .mutation(async ({ ctx, input }): Promise<DeviceExport> => {
        if (holds(ctx.viewer.grants, 'people:read')) await ctx.requireStepUp();
        return exportDevices(deps, ctx, input);
      }),
    createTargetList: permitted('devices:read')
      .input(createTargetListInput)
      .mutation(({ ctx, input }): Promise<TargetList> => createTargetList(deps, ctx.viewer, input)),
    getTargetList: permitted('devices:read')
      .input(idInput)
      .query(({ ctx, input }): Promise<TargetList> => getTargetList(deps, ctx.viewer, input.id)),
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
  };
}
