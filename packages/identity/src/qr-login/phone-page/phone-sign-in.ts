import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { inTransaction } from '../../database/in-transaction.ts';
import type { ProviderContext } from '../../provider/provider-context.ts';
import { findAccountOfAddress, firstProof, type AddressKind } from '../../sign-in/prove-address.ts';
import type { ProviderUser } from '../../accounts/provider-user.ts';
import type { Caller } from '../../provider/wire/caller.ts';
import { cookieIn, setCookie } from '../../provider/wire/cookies.ts';
import { ProviderError } from '../../provider/wire/provider-error.ts';
import { refusals } from '../../provider/wire/refusals.ts';

const COOKIE = 'idp_phone';
const TICKET = 'qr-phone';
const ticketTextSchema = z.string().regex(/^[\w-]{20,128}$/);
const ticketSchema = z.object({ sessionId: z.string(), kind: z.enum(['email', 'phone']) });
const emailSchema = z.email().max(254);

/** The user who signed in on the phone page with a code. */
export interface PhoneUser {
  readonly user: ProviderUser;
  readonly kind: AddressKind;
}

export interface PhoneSignIn {
  userOf(request: FastifyRequest): Promise<PhoneUser | undefined>;
  /**
   * Sends a code if there is such an account, without revealing whether there is.
   * @throws ProviderError tooManyRequests, z.ZodError if it is neither an address nor a number
   */
  sendCode(account: string, caller: Caller): Promise<void>;
  /** @throws ProviderError wrongCode and its like */
  signIn(
    attempt: { readonly account: string; readonly code: string },
    caller: Caller,
    reply: FastifyReply,
  ): Promise<void>;
  forget(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/**
 * The phone's own sign-in, which can only confirm codes: its cookie contains no token of the
 * contract. A second factor is requested on the device that signs in.
 * @param path of the page, to which the cookie is bound
 */
export function createPhoneSignIn(context: ProviderContext, path: string): PhoneSignIn {
  const { users, codes, tokens, tickets, record, clock, settings } = context;
  const contactOf = (account: string): { kind: AddressKind; to: string } =>
    account.includes('@')
      ? { kind: 'email', to: emailSchema.parse(account) }
      : { kind: 'phone', to: users.readPhone(account).phoneE164 };
  const ticketOf = ({ headers }: FastifyRequest): string | undefined =>
    ticketTextSchema.safeParse(cookieIn(headers, COOKIE)).data;
  return {
    async userOf(request) {
      const text = ticketOf(request);
      const ticket = text && (await tickets.read(TICKET, text).catch(() => undefined));
      if (!ticket || ticket.userId === null) return undefined;
      const signIn = ticketSchema.safeParse(ticket.data).data;
      const open = await tokens.listSessions(ticket.userId);
      if (!open.some(({ id }) => id === signIn?.sessionId)) return undefined;
      const user = await users.find(ticket.userId);
      return user && signIn && { user, kind: signIn.kind };
    },
    async sendCode(account, caller) {
      const { kind, to } = contactOf(account);
      const isDecoy = (await users.findBy(kind, to)) === undefined;
      const channel = kind === 'email' ? 'email' : 'sms';
      await codes.send({ channel, to, purpose: 'login', isDecoy, inBackground: true }, caller);
    },
    async signIn({ account, code }, caller, reply) {
      const { kind, to } = contactOf(account);
      const checked = await codes.check({ to, purposes: ['login'], code }, caller);
      const user = await inTransaction(context.db, async (client) => {
        await codes.spend(checked, client);
        const found = await findAccountOfAddress(context, [kind, to], client);
        return found && firstProof(context, found, kind, client);
      });
      if (user === undefined) throw new ProviderError(refusals.wrongCode);
      const { sessionId, expiresAt } = await tokens.startSession(user, {
        appId: caller.application.appId,
        method: 'qr-phone',
        address: caller.address,
        userAgent: caller.userAgent,
      });
      const lifeMs = expiresAt.getTime() - clock.now();
      const text = await tickets.issue({
        ...{ purpose: TICKET, userId: user.id, data: { sessionId, kind }, lifeMs },
      });
      const maxAgeSeconds = Math.floor(lifeMs / 1_000);
      setCookie(reply, settings, { name: COOKIE, value: text, maxAgeSeconds, path });
      record({
        ...{ kind: 'signedIn', at: new Date(clock.now()), sub: user.id, detail: 'qr-phone' },
        ...{ address: caller.address, requestId: caller.requestId },
        username: user.username ?? user.email ?? undefined,
      });
    },
    async forget(request, reply) {
      const text = ticketOf(request);
      setCookie(reply, settings, { name: COOKIE, value: '', maxAgeSeconds: 0, path });
      const ticket = text && (await tickets.spend(TICKET, text).catch(() => undefined));
      const signIn = ticket && ticketSchema.safeParse(ticket.data).data;
      if (signIn) await tokens.endSession(signIn.sessionId);
    },
  };
}
