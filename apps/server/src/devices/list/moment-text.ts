import type { Timestamp } from '@deviceportal/contract/pages';

/** Converts PostgreSQL text of a time (or a date) to ISO 8601; null for null and infinities. */
export function isoMoment(value: string | Date | null): Timestamp | null {
  if (value === null) return null;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

export function requiredIsoMoment(value: string | Date): Timestamp {
  return new Date(value).toISOString();
}
