import type { RunningServer } from './compose.ts';
import type { Config } from '../platform/config/config.ts';

/** Lines that the operator sees after a start: the URL of the portal and how to sign in. */
export function startLines(started: {
  readonly config: Config;
  readonly server: Pick<
    RunningServer,
    'address' | 'publicUrl' | 'announcements' | 'leastPrivilege'
  >;
  readonly seconds: number;
}): string[] {
  const { config, server, seconds } = started;
  const lines = [`Device Portal is ready after ${seconds.toFixed(1)} s: ${server.address}`];
  if (server.publicUrl !== server.address) lines.push(`Public URL: ${server.publicUrl}`);
  if (!config.production) {
    lines.push('Sign in as admin@deviceportal.local, operator@, support@, auditor@ or viewer@.');
  }
  if (config.loopback && !config.production) {
    lines.push(`The sign-in code appears at ${server.address}/outbox`);
  }
  lines.push(...server.announcements);
  if (!config.production) {
    lines.push(
      'Development defaults are in use: sample users, and sign-in codes shown on a page. NODE_ENV=production does not allow them.',
    );
  }
  if (!server.leastPrivilege) {
    lines.push(
      'The database role of this server owns its tables and can change the audit trail. Set DEVICEPORTAL_DATABASE_OWNER_URL to use separate roles.',
    );
  }
  if (!config.signInLimits) lines.push('Sign-in limits are off.');
  return lines;
}
