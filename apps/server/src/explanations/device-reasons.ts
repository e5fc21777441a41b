import type { Connectivity, DeviceLifecycle } from '@deviceportal/contract/states';
import type { ReasonDevice, ReasonDraft } from './reason-draft.ts';

/** What can prevent commands from reaching a device. Times in ISO 8601. */
export interface DeviceFacts extends ReasonDevice {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity | null;
  readonly connectivitySince: string | null;
  readonly disconnectReason: string | null;
  readonly instanceId: string | null;
}

/** Why commands do not reach a device now; empty if it is connected. */
export function deviceReasons(facts: DeviceFacts, until: string | null = null): ReasonDraft[] {
  const { deviceId, deviceName, lifecycle, connectivity, connectivitySince } = facts;
  const named = { device: deviceName };
  const on = { deviceId, device: deviceName };
  const wait = { kind: 'wait-for-device', on } as const;
  if (lifecycle === 'retired') {
    return [{ code: 'device-retired', facts: named, act: { kind: 'open-device', on } }];
  }
  const reasons: ReasonDraft[] = [];
  if (lifecycle === 'suspended') {
    reasons.push({
      code: 'device-suspended',
      facts: named,
      until,
      act: { kind: 'resume-device', on, needs: ['devices:manage'], device: facts },
    });
  }
  if (facts.instanceId === null) {
    const act = { kind: 'enroll-device', on, needs: ['devices:manage'], device: facts } as const;
    reasons.push({ code: 'device-not-enrolled', facts: named, until, act });
  } else if (connectivity === null || connectivity === 'never') {
    reasons.push({ code: 'device-never-connected', facts: named, until, act: wait });
  } else if (connectivity === 'offline' && lifecycle !== 'suspended') {
    reasons.push({
      code: 'device-offline',
      facts: { ...named, reason: facts.disconnectReason },
      since: connectivitySince,
      until,
      act: wait,
    });
  } else if (connectivity === 'unknown') {
    reasons.push({
      code: 'device-unknown',
      facts: named,
      since: connectivitySince,
      until,
      act: wait,
    });
  }
  return reasons;
}
