import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceLabel } from './devices-tables.ts';

/** Labels of devices, one row each, for joins by `deviceId`. */
export const labelValues = new QueryBuilder()
  .select({ deviceId: deviceLabel.deviceId, key: deviceLabel.key, value: deviceLabel.value })
  .from(deviceLabel)
  .as('label_value');
