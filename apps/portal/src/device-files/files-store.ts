import { create } from 'zustand';

/** A transfer that this tab follows. */
export interface FollowedTransfer {
  readonly id: string;
  readonly name: string;
  readonly action: 'read' | 'write';
}

interface DeviceState {
  /** Why the user needs the files; empty until it was given. */
  readonly reason: string;
  readonly transfers: readonly FollowedTransfer[];
}

const none: DeviceState = { reason: '', transfers: [] };

/** Of each device. It survives a change of the view. */
const useStates = create<{ readonly byDevice: Readonly<Record<string, DeviceState>> }>(() => ({
  byDevice: {},
}));

function change(deviceId: string, to: (old: DeviceState) => DeviceState): void {
  useStates.setState(({ byDevice }) => ({
    byDevice: { ...byDevice, [deviceId]: to(byDevice[deviceId] ?? none) },
  }));
}

export const rememberReason = (deviceId: string, reason: string): void =>
  change(deviceId, (old) => ({ ...old, reason }));

export const follow = (deviceId: string, transfer: FollowedTransfer): void =>
  change(deviceId, (old) => ({ ...old, transfers: [transfer, ...old.transfers] }));

export const unfollow = (deviceId: string, id: string): void =>
  change(deviceId, (old) => ({
    ...old,
    transfers: old.transfers.filter((transfer) => transfer.id !== id),
  }));

export const useDeviceFiles = (deviceId: string): DeviceState =>
  useStates(({ byDevice }) => byDevice[deviceId] ?? none);
