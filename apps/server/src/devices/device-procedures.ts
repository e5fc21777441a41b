import { z } from 'zod';
import {
  addNoteInput,
  deviceLifecycleInput,
  deviceReferenceInput,
  updateDeviceInput,
  type DeviceDetail,
  type Note,
} from '@deviceportal/contract/devices';
import { idSchema } from '@deviceportal/contract/ids';
import { permitted } from '../platform/api.ts';
import { changeLifecycle } from './change-lifecycle.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { getDevice } from './get-device.ts';
import { addNote, listNotes, removeNote } from './device-notes.ts';
import { updateDevice } from './update-device.ts';

const idInput = z.object({ id: idSchema });

/** One device and its notes. */
export function deviceProcedures(deps: DevicesDependencies) {
  return {
    get: permitted('devices:read')
      .input(deviceReferenceInput)
      .query(({ ctx, input }): Promise<DeviceDetail> => getDevice(deps, ctx.viewer, input.device)),
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
    retire: permitted('devices:manage', 'destroys')
      .input(deviceLifecycleInput)
      .mutation(({ ctx, input }): Promise<DeviceDetail> =>
        changeLifecycle(deps, ctx, { ...input, act: 'retire' }),
      ),
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
  };
}
