import type { AccessDeps } from '../access/access-deps.ts';

export interface ApiTokensDeps extends Pick<AccessDeps, 'database' | 'directory' | 'clock'> {
  /** The longest lifetime of a token, in days. */
  readonly apiTokenMaxDays: number;
}
