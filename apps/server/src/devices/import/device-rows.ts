import type { RowKind } from '../../imports/row-kind.ts';
import { applyDeviceRows } from './apply-device-rows.ts';
import { judgeDeviceRows, type DeviceValues } from './judge-device-rows.ts';
import { parseDeviceRow, type GivenDevice } from './parse-device-row.ts';
import { undoDeviceRows } from './undo-device-rows.ts';

/**
 * Devices in files: what the portal itself keeps of a device. Versions and locations come from their tables and from the
 * devices.
 */
export const deviceRows: RowKind<GivenDevice, DeviceValues> = {
  parse: parseDeviceRow,
  judge: judgeDeviceRows,
  apply: applyDeviceRows,
  undo: undoDeviceRows,
};
