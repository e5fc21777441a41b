import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { connectionRefusals } from '../../connections/connection-refusals.ts';
import { listIdentities } from '../../identities/identity-store.ts';
import { createMfaGate } from '../../mfa/mfa-gate.ts';
import { isMfaRefusal } from '../../mfa/mfa-refusals.ts';
import type { ProviderContext } from '../../provider/provider-context.ts';
import type { ProviderUser } from '../../accounts/provider-user.ts';
import type { Caller } from '../../provider/wire/caller.ts';
import { callerOf } from '../../provider/wire/caller-of.ts';
import { ProviderError } from '../../provider/wire/provider-error.ts';
import { readFormBodies } from '../../provider/wire/read-form-bodies.ts';
import { refusals } from '../../provider/wire/refusals.ts';
import type { StoredQrCode } from '../qr-code-store.ts';
import type { QrCodes } from '../qr-codes.ts';
import { QrState } from '../qr-state.ts';
import { pageHeaders } from './page-style.ts';
import { createPhoneSignIn, type PhoneSignIn, type PhoneUser } from './phone-sign-in.ts';
import { pageLanguageOf } from './phone-page-texts.ts';
import { renderPhonePage, type PhoneView } from './render-phone-page.ts';

const paramsSchema = z.object({ scan: z.string().regex(/^[\w-]{1,128}$/) });
const formSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('identify'), account: z.string().trim().max(254) }),
  z.object({
    action: z.literal('signIn'),
    account: z.string().trim().max(254),
    code: z.string().trim().max(12),
  }),
  z.object({ action: z.enum(['confirm', 'cancel', 'forget']) }),
]);
type Form = z.output<typeof formSchema>;

const FORM_BYTES = 4_096;

/** `/qr/{scan}`: where the code in the picture leads; forms without scripts. */
export function registerPhonePage(
  parent: FastifyInstance,
  context: ProviderContext,
  codes: QrCodes,
): void {
  void parent.register(async (app) => {
    const page = createPhonePage(
      context,
      codes,
      `${new URL(context.settings.baseUrl).pathname}/qr`,
    );
    readFormBodies(app, FORM_BYTES);
    app.get('/qr/:scan', (request, reply) => answer(request, reply, page.look));
    app.post('/qr/:scan', (request, reply) => answer(request, reply, page.act));
  });
}

type Answer = (scan: string, request: FastifyRequest, reply: FastifyReply) => Promise<PhoneView>;

async function answer(request: FastifyRequest, reply: FastifyReply, view: Answer) {
  const language = pageLanguageOf(request.headers['accept-language']);
  const { scan } = paramsSchema.parse(request.params);
  const html = renderPhonePage(await view(scan, request, reply), language);
  return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(html);
}

const ENDED: PhoneView = { kind: 'end', how: 'ended' };

function createPhonePage(
  context: ProviderContext,
  codes: QrCodes,
  path: string,
): { readonly look: Answer; readonly act: Answer } {
  const phone = createPhoneSignIn(context, path);
  const gate = createMfaGate(context);

  const look: Answer = async (scan, request) => {
    const code = await codes.findScanned(scan);
    if (code === undefined || code.status > QrState.scanned) return ENDED;
    const { user } = (await phone.userOf(request)) ?? {};
    if (user === undefined) return { kind: 'signIn' };
    // The first user to scan has the code: no other can confirm it.
    if (code.userId !== user.id && (await codes.move('scan', scan, user)) === undefined)
      return ENDED;
    const application = await context.applications.find(code.appId);
    return {
      ...{ kind: 'confirm', code, application: application?.name ?? code.appId },
      ...{ name: nameOf(user), address: request.ip, now: new Date(context.clock.now()) },
    };
  };

  const confirm = async (
    scan: string,
    { user, kind }: PhoneUser,
    caller: Caller,
  ): Promise<PhoneView> => {
    const code = await codes.findScanned(scan);
    if (code === undefined || code.status !== QrState.scanned) return ENDED;
    try {
      if (user.blocked || user.status !== 'Activated') {
        throw new ProviderError(refusals.userIsBlocked);
      }
      if (!(await mayConfirm(context, code, user))) {
        throw new ProviderError(connectionRefusals.noAccountHere);
      }
      // Named with what the phone has shown: a second step by the same channel would be no second one.
      const method = `app-qrcode:${kind}-code`;
      await gate(user, await desktopOf(context, code, caller), { method });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const isSecondStep = isMfaRefusal(error.refusal);
      const event = isSecondStep ? 'askSecondStep' : 'fail';
      await codes.end(event, { scan, user, error, language: caller.language });
      return { kind: 'end', how: isSecondStep ? 'confirmedSecondStep' : 'failed' };
    }
    const moved = await codes.move('confirm', scan, user);
    return moved === undefined ? ENDED : { kind: 'end', how: 'confirmed' };
  };

  const act: Answer = async (scan, request, reply) => {
    requireOwnForm(context, request);
    const form = formSchema.parse(request.body);
    const caller = await callerOf(context, request);
    if (form.action === 'forget') {
      await phone.forget(request, reply);
      return { kind: 'signIn' };
    }
    if (form.action === 'identify') return identify(phone, form, caller);
    if (form.action === 'signIn') {
      const view = await signIn(phone, form, { caller, reply });
      return view ?? redirectToSelf(reply, `${path}/${scan}`);
    }
    const known = await phone.userOf(request);
    if (known === undefined) return { kind: 'signIn' };
    if (form.action === 'confirm') return confirm(scan, known, caller);
    const moved = await codes.move('cancel', scan, known.user);
    return moved === undefined ? ENDED : { kind: 'end', how: 'cancelled' };
  };

  return { look, act };
}

async function identify(
  phone: PhoneSignIn,
  { account }: Extract<Form, { action: 'identify' }>,
  caller: Caller,
): Promise<PhoneView> {
  try {
    await phone.sendCode(account, caller);
    return { kind: 'code', account };
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: 'signIn', notice: 'wrongAccount' };
    if (isLimit(error)) return { kind: 'signIn', notice: 'tooMany' };
    throw error;
  }
}

/** @returns undefined once the phone is signed in */
async function signIn(
  phone: PhoneSignIn,
  { account, code }: Extract<Form, { action: 'signIn' }>,
  { caller, reply }: { readonly caller: Caller; readonly reply: FastifyReply },
): Promise<PhoneView | undefined> {
  try {
    await phone.signIn({ account, code }, caller, reply);
    return undefined;
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: 'signIn', notice: 'wrongAccount' };
    if (isLimit(error)) return { kind: 'code', account, notice: 'tooMany' };
    if (error instanceof ProviderError) return { kind: 'code', account, notice: 'wrongCode' };
    throw error;
  }
}

/** A code for the users of one connection can be confirmed only with an account there. */
async function mayConfirm(
  { db }: Pick<ProviderContext, 'db'>,
  { connectionId }: StoredQrCode,
  user: ProviderUser,
): Promise<boolean> {
  if (connectionId === null) return true;
  const identities = await listIdentities(db, user.id);
  return identities.some((each) => each.connectionId === connectionId);
}

/** Another site must not make a phone confirm anything. @throws ProviderError pleaseLogIn */
function requireOwnForm({ settings }: ProviderContext, { headers }: FastifyRequest): void {
  if (headers.origin !== new URL(settings.baseUrl).origin) {
    throw new ProviderError(refusals.pleaseLogIn);
  }
}

/** After the sign-in the page is requested again, with its cookie. */
function redirectToSelf(reply: FastifyReply, location: string): PhoneView {
  reply.code(303).header('location', location);
  return { kind: 'signIn' };
}

/** The browser that will be signed in: it has a second step of its own. */
async function desktopOf(
  { applications }: ProviderContext,
  code: StoredQrCode,
  phone: Caller,
): Promise<Caller> {
  const application = (await applications.find(code.appId)) ?? phone.application;
  const address = code.address ?? phone.address;
  return {
    ...phone,
    application,
    address,
    userAgent: code.userAgent ?? undefined,
    token: undefined,
  };
}

function isLimit(error: unknown): boolean {
  return error instanceof ProviderError && error.refusal === refusals.tooManyRequests;
}

function nameOf({ profile, email, username, phone, id }: ProviderUser): string {
  return profile.nickname ?? profile.name ?? email ?? username ?? phone ?? id;
}
