import { sql, type SQL } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import {
  deviceScopeCondition,
  type ScopedColumns,
} from '../../devices/data/device-scope-condition.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** Whether a viewer can see the commands of a device. */
export const seesCommands = (viewer: Viewer, device: ScopedColumns): SQL<boolean> =>
  sql<boolean>`(${deviceScopeCondition(scopesOf(viewer.grants, ['commands:read']), device)}) is true`;
