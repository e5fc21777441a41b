import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { portalUser } from './access-tables.ts';

export interface ContactTimes {
  readonly email: string | null;
  /** Null if the first address of the user is unchanged. */
  readonly emailChangedAt: Date | null;
  readonly phone: string | null;
  readonly phoneChangedAt: Date | null;
}

/** The addresses of a user, and when they last changed. */
export async function findContactTimes(on: Executor, userId: string): Promise<ContactTimes> {
  const [found] = await on
    .select({
      email: portalUser.email,
      emailChangedAt: portalUser.emailChangedAt,
      phone: portalUser.phone,
      phoneChangedAt: portalUser.phoneChangedAt,
    })
    .from(portalUser)
    .where(eq(portalUser.id, userId));
  return found ?? { email: null, emailChangedAt: null, phone: null, phoneChangedAt: null };
}
