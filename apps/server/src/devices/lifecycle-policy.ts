import type { DeviceLifecycle } from '@deviceportal/contract/states';

export type LifecycleAct = 'suspend' | 'resume' | 'retire';

/**
 * The lifecycle state after an action (docs/design/decisions.md, section 4): unchanged if it is already reached, null
 * if the action is not allowed.
 *
 * @param enrolled whether the device has a current instance; without one it becomes `pending` again
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
