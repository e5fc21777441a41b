import type { SQL, SQLWrapper } from 'drizzle-orm';
import { holdsOnDevice, isStill, personHolds } from '../../../access/data/people-holding.ts';
import type { ScopedColumns } from '../device-scope-condition.ts';

/** Whether a user may still manage a device, in a row with country, model and labels. */
export const stillManages = (userId: SQLWrapper, device: ScopedColumns): SQL =>
  isStill(userId, (id) => holdsOnDevice(id, 'devices:manage', device));

/** Whether a user may still manage devices anywhere. */
export const stillManagesSome = (userId: SQLWrapper): SQL =>
  isStill(userId, (id) => personHolds(id, 'devices:manage'));
