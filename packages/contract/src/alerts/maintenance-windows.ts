import { z } from 'zod';

/** In which a rule does not fire: on some days of the week, from a time to a time, on the clock of a time zone. */
export const maintenanceWindowSchema = z.object({
  /** ISO 8601: Monday is 1. The day on which the window starts. */
  days: z.array(z.int().min(1).max(7)).min(1).max(7),
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00'),
  /** On the next day if it is not after `from`. */
  to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 04:00'),
  /** An IANA name. */
  timeZone: z.string().min(1).max(64).refine(isTimeZone, 'must be an IANA time zone'),
});
export type MaintenanceWindow = z.output<typeof maintenanceWindowSchema>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
