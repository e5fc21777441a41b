import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFaces } from '../../src/face/open-faces.ts';
import { createTotps } from '../../src/mfa/totp.ts';
import type { ProviderUser, UserChange } from '../../src/accounts/provider-user.ts';
import { isLeftOut } from './support/is-left-out.ts';
import { createBrowser, formsOf, type Browser, type BrowserPage } from './support/browser.ts';
import { one, other, photoOf } from './support/face-photos.ts';
import { REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';
import { ADA, openTwoProviders, type TwoProviders } from './support/open-upstreams.ts';
import { createPhone } from './support/phone.ts';

const PASSWORD = 'Correct horse 1';
const number = { phone: '13800000001', phoneCountryCode: '+86', phoneE164: '+8613800000001' };

let providers: TwoProviders;
let idp: OpenProvider;
let browser: Browser;

beforeAll(async () => {
  providers = await openTwoProviders({ secondStep: 'required' });
  ({ idp } = providers);
}, 120_000);
afterAll(() => providers[Symbol.asyncDispose]());
beforeEach(() => {
  browser = createBrowser(REDIRECT_URI);
});

async function openPage(query = ''): Promise<BrowserPage> {
  const asked = { client_id: idp.appId, redirect_uri: REDIRECT_URI, scope: 'openid email' };
  const search = new URLSearchParams({ ...asked, response_type: 'code', state: 'state-1' });
  const page = await browser.open(`${idp.host}/oidc/auth?${search.toString()}`);
  return query === '' ? page : browser.open(`${page.url.href}${query}`);
}

/** Somebody who has given their password. */
async function afterPassword(
  username: string,
  more: UserChange = {},
  prepare: (user: ProviderUser) => Promise<void> = async () => undefined,
): Promise<BrowserPage> {
  await prepare(await idp.makeUser({ username, password: PASSWORD, ...more }));
  return byPassword(username);
}

async function byPassword(account: string): Promise<BrowserPage> {
  const form = await openPage('?way=password');
  return browser.submit(form, 'password', { account, password: PASSWORD });
}

/** How the newest sign-in was made; undefined: nobody came to the application. */
async function methodOf(page: BrowserPage, username: string): Promise<string | undefined> {
  if (!page.url.href.startsWith(REDIRECT_URI)) return undefined;
  const user = await idp.context.users.findBy('username', username);
  const sessions = await idp.context.tokens.listSessions(user?.id ?? '');
  return sessions.map(({ method }) => method).join();
}

const choicesOn = ({ body }: BrowserPage): (string | undefined)[] =>
  formsOf(body)
    .filter(({ inputs }) => inputs['act'] === 'choose-step')
    .map(({ inputs }) => inputs['method']);

const numberOf = (secret: string): Promise<string> =>
  generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });

describe('the second factor on the page', () => {
  it('a user with an app can use its code or the recovery code, once', async () => {
    let recovery = '';
    const asked = await afterPassword('totp', {}, async (user) => {
      const totps = createTotps(idp.context);
      const app = await totps.associate(user);
      await totps.confirm(user.id, await numberOf(app.secret), true);
      recovery = app.recovery_code;
    });
    expect(asked.body).toContain('Enter the code from your authenticator app.');
    expect(choicesOn(asked)).toEqual(['RECOVERY']);
    const byCode = await browser.submit(asked, 'choose-step');
    const wrong = await browser.submit(byCode, 'second-step', { code: 'ffff-ffff' });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toContain('The recovery code is incorrect or already used');
    const done = await browser.submit(wrong, 'second-step', { code: recovery });
    expect(await methodOf(done, 'totp')).toBe('password+recovery');
    browser = createBrowser(REDIRECT_URI);
    const again = await browser.submit(await byPassword('totp'), 'choose-step');
    const used = await browser.submit(again, 'second-step', { code: recovery });
    expect(used.body).toContain('The recovery code is incorrect or already used');
  });

  it('a code by SMS or email is sent to the chosen contact, and again', async () => {
    const email = 'both@example.com';
    const asked = await afterPassword('both', {
      ...{ email, emailVerified: true, ...number, phoneVerified: true },
    });
    expect(asked.body).toContain('A code will be sent by text message to *******0001.');
    expect(choicesOn(asked)).toEqual(['EMAIL']);
    const sent = await browser.submit(asked, 'send-step');
    expect(sent.body).toContain('A six-digit code was sent to *******0001.');
    expect(sent.body).toContain('data-wait="30"');
    expect(sent.body).not.toContain(number.phone);
    const bySms = await browser.submit(sent, 'second-step', {
      code: idp.codeFor(number.phoneE164),
    });
    expect(await methodOf(bySms, 'both')).toBe('password+sms');

    browser = createBrowser(REDIRECT_URI);
    const mail = await browser.submit(await byPassword('both'), 'choose-step');
    expect(mail.body).toContain('A code will be sent by email to b***@example.com.');
    const first = await browser.submit(mail, 'send-step');
    const wrong = await browser.submit(first, 'second-step', { code: '000000' });
    expect(wrong.body).toContain('A six-digit code was sent to b***@example.com.');
    idp.clock.advance(31_000);
    const second = await browser.submit(wrong, 'send-step');
    const done = await browser.submit(second, 'second-step', { code: idp.codeFor(email) });
    expect(await methodOf(done, 'both')).toBe('password+email,password+sms');
  });

  it.skipIf(isLeftOut('face'))(
    '[idp-hosted-step-3] accepts a photo of an added face, and rejects another person',
    async () => {
      const asked = await afterPassword('face', {}, async ({ id }) => {
        await using faces = openFaces(idp.context);
        const photo = await photoOf(one);
        await faces.associate(id, [photo, photo]);
      });
      expect(asked.body).toContain('enctype="multipart/form-data"');
      expect(choicesOn(asked)).toEqual([]);
      const refused = await sendPhoto(asked, await photoOf(other));
      expect(refused.body).toContain('The faces don’t match');
      const torn = await sendPhoto(refused, (await photoOf(one)).subarray(0, 2_000));
      expect(torn.body).toContain('The photo can’t be read');
      const done = await sendPhoto(torn, await photoOf(one, 0.85));
      expect(await methodOf(done, 'face')).toBe('password+face');
    },
    180_000,
  );

  it('[idp-hosted-step-4] is also required after an external sign-in and a QR code', async () => {
    const there = await browser.open(`${(await openPage()).url.href}/with/corp`);
    const form = await browser.open(`${there.url.href}?way=password`);
    const asked = await browser.submit(form, 'password', {
      account: ADA.email,
      password: PASSWORD,
    });
    expect(asked.body).toContain('A code will be sent by email to a***@corp.example.');
    const sent = await browser.submit(asked, 'send-step');
    const done = await browser.submit(sent, 'second-step', { code: idp.codeFor(ADA.email) });
    expect(done.url.href).toContain(REDIRECT_URI);

    browser = createBrowser(REDIRECT_URI);
    const email = 'phone@example.com';
    const own = { phone: '13800000009', phoneCountryCode: '+86', phoneE164: '+8613800000009' };
    const proven = { emailVerified: true, phoneVerified: true };
    await idp.makeUser({ username: 'phone', email, ...own, ...proven });
    const shown = await openPage('?way=qr');
    const inputs = formsOf(shown.body).find((each) => each.inputs['act'] === 'qr')?.inputs;
    const url = `${idp.host}/qr/${inputs?.['scan']}`;
    const phone = createPhone(idp);
    await phone.signIn(url, email);
    await phone.press(url, 'confirm');
    idp.clock.advance(31_000);
    const step = await browser.submit(await browser.submit(shown, 'qr'), 'send-step');
    const last = await browser.submit(step, 'second-step', { code: idp.codeFor(own.phoneE164) });
    expect(await methodOf(last, 'phone')).toContain('app-qrcode:email-code+sms');
  });

  it('the first factor is valid for a few minutes, in one application, and for one sign-in', async () => {
    const own = { email: 'slow@example.com', emailVerified: true };
    const asked = await afterPassword('slow', own);
    const sent = await browser.submit(asked, 'send-step');
    const done = await browser.submit(sent, 'second-step', { code: idp.codeFor(own.email) });
    expect(await methodOf(done, 'slow')).toBe('password+email');

    browser = createBrowser(REDIRECT_URI);
    const late = await byPassword('slow');
    idp.clock.advance(6 * 60_000);
    const over = await browser.submit(late, 'send-step');
    expect(over.body).toContain('Invalid or expired MFA token. Sign in again.');
    expect(over.body).toContain('Send code');
    const token = await tokenOf('slow');
    const before = idp.messages.length;
    const foreign = await browser.submit(await byPassword('slow'), 'send-step', { token });
    expect(foreign.body).not.toContain('A six-digit code was sent');
    expect(idp.messages).toHaveLength(before);
  });
});

describe('a user without a second factor', () => {
  it('[idp-hosted-step-6] sets up an app on the page and continues; the next sign-in requires it', async () => {
    const asked = await afterPassword('newcomer');
    expect(asked.body).toContain('Your account requires a second factor.');
    expect(choicesOn(asked).slice(0, 2)).toEqual(['SMS', 'EMAIL']);
    const { appSecret = '', recoveryCode = '' } =
      formsOf(asked.body).find(({ inputs }) => inputs['act'] === 'second-step')?.inputs ?? {};
    expect(asked.body).toContain(`<code>${recoveryCode}</code>`);
    expect(asked.body).toContain('src="data:image/png;base64,');
    const wrong = await browser.submit(asked, 'second-step', { code: '000000' });
    expect(wrong.body).toContain('Incorrect code');
    expect(wrong.body).toContain(`<code>${appSecret}</code>`);
    const done = await browser.submit(wrong, 'second-step', { code: await numberOf(appSecret) });
    expect(await methodOf(done, 'newcomer')).toBe('password+otp');
    browser = createBrowser(REDIRECT_URI);
    expect((await byPassword('newcomer')).body).toContain('Enter the code from your authenticator');
  });

  it('sets up codes to an address of their own, never by the channel of the first factor', async () => {
    await idp.makeUser({ email: 'taken@example.com', emailVerified: true });
    const asked = await afterPassword('binder');
    const mail = await browser.submit(asked, 'choose-step', { method: 'EMAIL' });
    const nonsense = await browser.submit(mail, 'send-step', { contact: 'nobody' });
    expect(nonsense.body).toContain('Enter an email address or phone number.');
    const taken = await browser.submit(nonsense, 'send-step', { contact: 'taken@example.com' });
    const refused = await browser.submit(taken, 'second-step', {
      code: idp.codeFor('taken@example.com'),
    });
    expect(refused.body).toContain('User already exists');
    const another = await browser.submit(asked, 'choose-step', { method: 'EMAIL' });
    const sent = await browser.submit(another, 'send-step', { contact: 'free@example.com' });
    const done = await browser.submit(sent, 'second-step', {
      code: idp.codeFor('free@example.com'),
    });
    expect(await methodOf(done, 'binder')).toBe('password+email');

    browser = createBrowser(REDIRECT_URI);
    const email = 'only@example.com';
    await idp.makeUser({ username: 'only', email, emailVerified: true });
    const code = await browser.submit(await openPage(), 'send', { account: email });
    const step = await browser.submit(code, 'code', { code: idp.codeFor(email) });
    expect(choicesOn(step)).not.toContain('EMAIL');
    const forced = await browser.submit(step, 'second-step', {
      ...{ method: 'EMAIL', contact: email, code: '000000' },
    });
    expect(forced.body).toContain('This second factor is not available for the account');
    expect(idp.failures).toEqual([]);
  });
});

async function tokenOf(username: string): Promise<string> {
  const user = await idp.context.users.findBy('username', username);
  if (user === undefined) throw new Error(`nobody is called ${username}`);
  const start = { appId: idp.appId, method: 'password', address: '127.0.0.1' };
  return (await idp.context.tokens.startSession(user, start)).token;
}

/** Sends the form with the photo as a browser does: in parts. */
function sendPhoto(page: BrowserPage, photo: Uint8Array): Promise<BrowserPage> {
  const form = formsOf(page.body).find(({ inputs }) => inputs['act'] === 'second-step');
  const body = new FormData();
  for (const [name, value] of Object.entries(form?.inputs ?? {})) {
    if (name !== 'photo') body.append(name, value);
  }
  body.append('photo', new Blob([Uint8Array.from(photo)], { type: 'image/jpeg' }), 'me.jpg');
  return browser.open(page.url.href, { method: 'POST', body });
}
