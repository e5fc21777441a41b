import { createHash } from 'node:crypto';
import type { Viewer } from '../platform/viewer.ts';

/**
 * Identifies the session of a call. Providers whose tokens do not name the sign-in are told apart by
 * its time.
 */
export function sessionKeyOf({
  subject,
  signInId,
  signedInAt,
}: Pick<Viewer, 'subject' | 'signInId' | 'signedInAt'>): string {
  const signIn = signInId ?? signedInAt.toISOString();
  return createHash('sha256')
    .update(JSON.stringify([subject, signIn]))
    .digest('hex');
}
