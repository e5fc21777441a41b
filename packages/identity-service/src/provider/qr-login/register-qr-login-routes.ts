import type { FastifyInstance } from 'fastify';
import { toBuffer } from 'qrcode';
import { z } from 'zod';
import type { RateLimitRule } from '../../user-pool/rate-limits.ts';
import type { ProviderContext } from '../provider-context.ts';
import { toWireUser } from '../users/wire-user.ts';
import { callerOf } from '../wire/caller.ts';
import { success } from '../wire/envelope.ts';
import { ProviderError } from '../wire/provider-error.ts';
import { refusals } from '../wire/refusals.ts';
import { registerPhonePage } from './phone-page/register-phone-page.ts';
import { createQrCodes, QR_CODE_LIFE_MS } from './qr-codes.ts';
import { qrRefusals } from './qr-refusals.ts';

const secret = z.string().regex(/^[\w-]{1,128}$/);
const makeSchema = z.object({
  scene: z.enum(['APP_AUTH', 'WXAPP_AUTH', 'WECHATMP_AUTH']),
  withCustomData: z.boolean().nullish(),
});
const checkSchema = z.object({ random: secret });
const exchangeSchema = z.object({ ticket: z.string().min(1).max(256) });
const scanSchema = z.object({ scan: secret });

const PICTURE_PIXELS = 480;
const rules = {
  make: { name: 'provider-qr-make', hits: 300, windowMs: 15 * 60_000 },
  wrong: { name: 'provider-qr-wrong', hits: 60, windowMs: 15 * 60_000 },
} as const satisfies Record<string, RateLimitRule>;

/** Sign-in by a QR code that a phone confirms: `/api/v2/qrcode/…` (identity-sdk.md, sections 7 and 9), `/qr/…`. */
export function registerQrLoginRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { limits, settings } = context;
  const codes = createQrCodes(context);
  const hit = async (rule: RateLimitRule, address: string): Promise<void> => {
    const waitMs = await limits.hit(rule, address);
    if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
  };
  registerPhonePage(app, context, codes);
  app.post('/api/v2/qrcode/gene', async (request) => {
    const { scene, withCustomData } = makeSchema.parse(request.body);
    const { application, address, userAgent } = await callerOf(context, request);
    await hit(rules.make, address);
    const { random, scan } = await codes.create({
      ...{ appId: application.appId, scene, address, userAgent },
      withCustomData: withCustomData === true,
    });
    return success({
      random,
      url: `${settings.baseUrl}/qr/${scan}/picture.png`,
      customLogo: application.logo,
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
    await hit(rules.wrong, caller.address);
    const code = await codes.exchange(ticket, caller.application.appId);
    await limits.undo(rules.wrong, caller.address);
    const user = await context.users.find(code.userId);
    if (user === undefined) throw new ProviderError(qrRefusals.ticketHasEnded);
    // Whether a second step is needed was asked when the phone confirmed.
    const step = { method: methodOf[code.scene], isSecondStep: true };
    const signedIn = await context.signIns.complete(user, caller, step);
    return success(toWireUser(signedIn.user, signedIn.issued));
  });
  app.get('/qr/:scan/picture.png', async (request, reply) => {
    const { scan } = scanSchema.parse(request.params);
    const picture = await toBuffer(`${settings.baseUrl}/qr/${scan}`, {
      errorCorrectionLevel: 'M',
      width: PICTURE_PIXELS,
    });
    // Pages of other origins draw it on a canvas; it is worth nothing without the secret that polls.
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

/** Sign-in specification, section 3, "Login methods". */
const methodOf = {
  APP_AUTH: 'app-qrcode',
  WXAPP_AUTH: 'wechat-miniprogram-qrcode',
  WECHATMP_AUTH: 'wechatmp-qrcode',
} as const;
