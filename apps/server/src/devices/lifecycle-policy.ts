import type { DeviceLifecycle } from '@deviceportal/contract/states';

export type LifecycleAct = 'suspend' | 'resume' | 'retire';

/**
 * Where an act leads (docs/design/decisions.md, section 4): the same state when it is there already, null when it may
 * not.
 *
 * @param enrolled whether the device has a current instance: one without goes back to `pending`
 */
export function nextLifecycle(
  from: DeviceLifecycle,
  act: LifecycleAct,
  enrolled: boolean,
): DeviceLifecycle | null {
  switch (act) {
    case 'suspend':
      return from === 'retired' ? null : 'suspended';
    case 'resume':
      if (from === 'retired') return null;
      if (from !== 'suspended') return from;
      return enrolled ? 'active' : 'pending';
    case 'retire':
      return 'retired';
  }
}
