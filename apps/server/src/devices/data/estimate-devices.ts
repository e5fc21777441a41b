import { getTableName } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { estimateTable } from '../../platform/database/estimate-rows.ts';
import { device } from './devices-tables.ts';

/** Estimated number of devices. */
export const estimateDevices = (on: Executor): Promise<number> =>
  estimateTable(on, getTableName(device));
