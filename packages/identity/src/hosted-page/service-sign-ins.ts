import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { formTargetOf } from './page-frame.ts';
import type { FindPendingSignIn } from './pending-sign-in.ts';

const PURPOSE = 'hosted-sign-in';
const LIFE_MS = 60 * 60_000;

const waitingSchema = z.object({
  appId: z.string(),
  /** Path below the application host where the protocol continues. */
  resumePath: z.string(),
  /** Destination after a cancellation. */
  cancelUrl: z.string(),
  serviceUrl: z.string(),
  /**
   * Minimum time of the session if the application requires a new sign-in, in milliseconds since
   * 1970.
   */
  notBefore: z.number(),
});
export type WaitingService = z.output<typeof waitingSchema>;

type ServiceContext = Pick<ProviderContext, 'applications' | 'settings' | 'tickets'>;

/** Remembers that an application waits. @returns the address of the page where the person signs in */
export async function openServiceSignIn(
  { settings, tickets }: ServiceContext,
  waiting: WaitingService,
): Promise<string> {
  const uid = await tickets.issue({ purpose: PURPOSE, data: waiting, lifeMs: LIFE_MS });
  return `${settings.baseUrl}/interaction/service/${uid}/login`;
}

/** Finds the applications that wait by CAS and SAML. */
export function findServiceSignIn({
  applications,
  settings,
  tickets,
}: ServiceContext): FindPendingSignIn {
  return async (uid) => {
    const ticket = await tickets.read(PURPOSE, uid).catch(() => undefined);
    if (ticket === undefined) return undefined;
    const waiting = waitingSchema.parse(ticket.data);
    const application = await applications.find(waiting.appId);
    if (application === undefined) return undefined;
    const resume = async (): Promise<string> => `${settings.baseUrl}${waiting.resumePath}`;
    return {
      application,
      asks: 'sign-in',
      scopes: [],
      loginHint: undefined,
      languages: undefined,
      mayReuseSignIn: waiting.notBefore === 0,
      formTargets: [formTargetOf(waiting.serviceUrl), formTargetOf(waiting.cancelUrl)],
      finish: resume,
      allow: resume,
      cancel: async () => waiting.cancelUrl,
    };
  };
}
