import { z } from 'zod';
import { idSchema } from './ids.ts';
import { timeRangeSchema, type Timestamp } from './pages.ts';
import type { DeviceRow } from './devices.ts';
import type { AuditEvent } from './audit-trail.ts';
import type { InvocationRow } from './invocations.ts';
import type { Person } from './people.ts';

export const userReportInput = z.object({
  personId: idSchema,
  range: timeRangeSchema.prefault({}),
});

/** Everything known about one person's devices in a period. Lists are cut at 500 rows each, newest first. */
export interface UserReport {
  readonly person: Person;
  readonly devices: readonly DeviceRow[];
  readonly invocations: readonly InvocationRow[];
  readonly events: readonly AuditEvent[];
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
}
