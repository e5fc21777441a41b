import { refuse } from '@deviceportal/contract/refuse';
import type { ApiTokensDeps } from './api-tokens-deps.ts';

const DAY_MS = 86_400_000;

/** @throws PortalError 2004 for a lifetime that the installation does not allow */
export function expiryOf(
  { clock, apiTokenMaxDays }: Pick<ApiTokensDeps, 'clock' | 'apiTokenMaxDays'>,
  days: number,
): Date {
  if (days > apiTokenMaxDays) {
    throw refuse('api-token-lifetime', { field: 'days', facts: { days: apiTokenMaxDays } });
  }
  return new Date(clock().getTime() + days * DAY_MS);
}
