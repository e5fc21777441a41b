import type { DeviceDetail } from '@deviceportal/contract/devices';

export interface DeviceTabProps {
  readonly device: DeviceDetail;
}
