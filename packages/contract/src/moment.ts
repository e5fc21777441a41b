import { z } from 'zod';

/**
 * ISO 8601 has a year 0000, but PostgreSQL does not. One day later, so that offsets cannot lead
 * there.
 */
const EARLIEST_MS = Date.parse('0001-01-02T00:00:00Z');

const isKept = (text: string): boolean => Date.parse(text) >= EARLIEST_MS;

const OUT_OF_RANGE = 'Invalid input: the year must be 0001 or later';

/** A time with any offset, as users and programs enter it. */
export const momentSchema = z.iso.datetime({ offset: true }).refine(isKept, OUT_OF_RANGE);

/** A time in UTC, as the API returns it. */
export const utcMomentSchema = z.iso.datetime().refine(isKept, OUT_OF_RANGE);
