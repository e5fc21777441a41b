import type { SQL, SQLWrapper } from 'drizzle-orm';
import { holdsOnDevice, isStill, personHolds } from '../../../access/data/people-holding.ts';
import type { ScopedColumns } from '../device-scope-condition.ts';

/** Whether a user can still manage a device, given a row with country, model, and labels. */
export const stillManages = (userId: SQLWrapper, device: ScopedColumns): SQL =>
  isStill(userId, (id) => holdsOnDevice(id, 'devices:manage', device));

/** Whether a user can still manage devices in any scope. */
export const stillManagesSome = (userId: SQLWrapper): SQL =>
  isStill(userId, (id) => personHolds(id, 'devices:manage'));
