import type { PoolContext } from './pool-context.ts';

/** A revocation is kept until the last token or credential of the session has expired. */
export function revocationTimes({ clock, settings }: Pick<PoolContext, 'clock' | 'settings'>): {
  readonly now: Date;
  readonly keepUntil: Date;
} {
  const longestSeconds = Math.max(
    settings.tokenLifetimeSeconds,
    settings.credentialLifetimeSeconds,
  );
  const nowMs = clock.now();
  return { now: new Date(nowMs), keepUntil: new Date(nowMs + longestSeconds * 1_000) };
}
