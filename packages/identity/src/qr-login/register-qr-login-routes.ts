import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { listCustomValues } from '../custom-values/custom-value-store.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { readCustomData } from '../custom-values/read-custom-data.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { toWireUser } from '../accounts/wire-user.ts';
import { callerOf } from '../provider/wire/caller-of.ts';
import { success } from '../provider/wire/envelope.ts';
import { registerPhonePage } from './phone-page/register-phone-page.ts';
import { createQrCodes, qrPictureUrl, QR_CODE_LIFE_MS } from './qr-codes.ts';
import { makeQrCode, signInByQrCode } from './sign-in-by-qr-code.ts';

const secret = z.string().regex(/^[\w-]{1,128}$/);
const makeSchema = z.object({
  scene: z.enum(['APP_AUTH', 'WXAPP_AUTH', 'WECHATMP_AUTH']),
  withCustomData: z.boolean().nullish(),
  /** The client's `customData` unchanged; a list of `{key, value}` is also accepted. */
  params: z.unknown().optional(),
  /** Read, so that a wrong one is refused; nothing here depends on it. */
  context: z.record(z.string().max(128), z.unknown()).nullish(),
  extIdpConnId: z.string().max(64).nullish(),
});
const checkSchema = z.object({ random: secret });
const exchangeSchema = z.object({ ticket: z.string().min(1).max(256) });
const scanSchema = z.object({ scan: secret });

const PICTURE_PIXELS = 480;

/** Sign-in by a QR code that a phone confirms: `/api/v2/qrcode/…` (identity-sdk.md, sections 7 and 9), `/qr/…`. */
export function registerQrLoginRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { settings } = context;
  const codes = createQrCodes(context);
  registerPhonePage(app, context, codes);
  app.post('/api/v2/qrcode/gene', async (request) => {
    const { extIdpConnId, params, scene, withCustomData } = makeSchema.parse(request.body);
    const caller = await callerOf(context, request);
    const asked = {
      scene,
      withCustomData: withCustomData === true,
      customData: readParams(params),
      connectionId: extIdpConnId ?? undefined,
    };
    const { random, scan } = await makeQrCode(context, codes, asked, caller);
    return success({
      random,
      url: qrPictureUrl(context, scan),
      customLogo: caller.application.logo,
      expiresIn: QR_CODE_LIFE_MS / 1_000,
    });
  });
  app.get('/api/v2/qrcode/check', async (request) => {
    const { random } = checkSchema.parse(request.query);
    return success(await codes.check(random));
  });
  app.post('/api/v2/qrcode/userinfo', async (request) => {
    const { ticket } = exchangeSchema.parse(request.body);
    const caller = await callerOf(context, request);
    const signedIn = await signInByQrCode(context, codes, ticket, caller);
    const person = toWireUser(signedIn.user, signedIn.issued);
    if (!signedIn.withCustomData) return success(person);
    const target = { type: 'USER', id: person.id };
    return success({ ...person, customData: await listCustomValues(context.db, target) });
  });
  app.get('/qr/:scan/picture.png', async (request, reply) => {
    const { scan } = scanSchema.parse(request.params);
    // With the first picture, so that a server is ready sooner.
    const { toBuffer } = await import('qrcode');
    const picture = await toBuffer(`${settings.baseUrl}/qr/${scan}`, {
      errorCorrectionLevel: 'M',
      width: PICTURE_PIXELS,
    });
    // Pages of other origins draw it on a canvas; it gives no access without the polling secret.
    return reply
      .headers({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'private, max-age=120',
      })
      .type('image/png')
      .send(picture);
  });
}

/** @throws z.ZodError when they are neither an object nor a list, or too many */
function readParams(params: unknown): CustomValue[] {
  const given = params ?? {};
  const isList = Array.isArray(given) || typeof given === 'string';
  return readCustomData(isList ? { params: given } : { customData: given });
}
