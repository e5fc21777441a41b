import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi, type ApiOutputs } from '../../api/use-api.ts';
import { useWatch } from '../../live/use-watch.ts';
import { patchDeviceStatus } from '../patch-device-rows.ts';

type Device = ApiOutputs['devices']['get'];

/**
 * Keeps the details of a device up to date: the status immediately, then everything, because
 * findings and events depend on it.
 *
 * @param reference The ID or serial number that the page requested.
 */
export function useLiveDevice(reference: string, deviceId: string | undefined): void {
  const queryClient = useQueryClient();
  const api = useApi();
  const statusWatch = useMemo(
    () => (deviceId === undefined ? null : { kind: 'devices' as const, ids: [deviceId] }),
    [deviceId],
  );
  const eventWatch = useMemo(
    () => (deviceId === undefined ? null : { kind: 'audit-trail' as const, deviceId }),
    [deviceId],
  );
  const { queryKey } = api.devices.get.queryOptions({ device: reference });
  useWatch(statusWatch, (change) => {
    if (change.kind === 'device-status') {
      queryClient.setQueryData<Device>(queryKey, (device) =>
        device === undefined ? undefined : patchDeviceStatus(device, change),
      );
    } else void queryClient.invalidateQueries(api.devices.getReEnrollment.pathFilter());
    void queryClient.invalidateQueries({ queryKey });
  });
  useWatch(eventWatch, () => {
    void queryClient.invalidateQueries(api.auditTrail.list.pathFilter());
    void queryClient.invalidateQueries(api.commands.listInvocations.pathFilter());
    void queryClient.invalidateQueries(api.commands.waitsBehind.pathFilter());
  });
}
