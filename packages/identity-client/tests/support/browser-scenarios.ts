import type { BrowserContext, Page } from 'playwright-core';
import { APP_HOST, EVIL_HOST } from './test-browser.ts';
import type { Json } from './vector-case.ts';

/** How to reproduce a case in a page. The browser recordings contain only the outcome. */
export interface Scenario {
  readonly options?: { readonly [name: string]: Json };
  readonly args?: readonly Json[];
  readonly storage?: { readonly [key: string]: string };
  /** Origin of the application's page, if it differs from the provider's host. */
  readonly origin?: string;
  /** Called twice; the outcome of the second call is compared. */
  readonly twice?: boolean;
  /** Condition that ends the case when fewer calls happen than were recorded. */
  readonly until?: 'ended' | 'sent';
  readonly blockPopups?: boolean;
  readonly act?: (page: Page, context: BrowserContext, user: Json) => Promise<void>;
}

const call = (name: string): Json => ({ $fn: name });
const ends = { onSuccess: call('onSuccess'), onError: call('onError') };
const social = (extra: { readonly [name: string]: Json } = {}, rest: Scenario = {}): Scenario => ({
  args: ['github', { ...ends, ...extra }],
  ...rest,
});
const enterprise = (protocol: string, identifier: string, extra = {}): Scenario => ({
  args: [protocol, identifier, { ...ends, ...extra }],
});

/** Placeholder for the user who signed in when the case was recorded. */
const WHO = { $user: true };

/** Messages that the window posts to the page that opened it. */
function saysThroughPopup(...messages: readonly object[]): NonNullable<Scenario['act']> {
  return async (_page, context, user) => {
    while (context.pages().length < 2) await context.waitForEvent('page');
    const popup = context.pages()[1] as Page;
    await popup.waitForURL(/provider\.example/);
    await popup.waitForLoadState();
    const text = JSON.stringify(messages).replace(JSON.stringify(WHO), JSON.stringify(user));
    await popup.evaluate((all) => {
      for (const message of JSON.parse(all) as object[]) {
        (window.opener as Window).postMessage(message, '*');
      }
    }, text);
  };
}

const event = (eventType: string) => ({ event: { source: 'authing', eventType } });

const qrCallbacks = Object.fromEntries(
  [
    ...['onCodeLoaded', 'onCodeShow', 'onCodeLoadFailed', 'onStart', 'onResult', 'onScanned'],
    ...['onSuccess', 'onCancel', 'onError', 'onExpired', 'onMfa', 'onAuthFlow', 'onRetry'],
  ].map((name) => [name, call(name)]),
);
const qr = (extra: { readonly [name: string]: Json } = {}, rest: Scenario = {}): Scenario => ({
  args: ['qr-box', { ...qrCallbacks, interval: 60, ...extra }],
  ...rest,
});

const choosesFile = (name: string): NonNullable<Scenario['act']> => {
  const buffer = Buffer.alloc(70);
  return async (page) => {
    const chooser = await page.waitForEvent('filechooser');
    await chooser.setFiles({ name, mimeType: 'image/png', buffer });
  };
};
const blob: Json = { $blob: 4 };
const tips = {
  ...{ title: 'T-title', expired: 'T-expired', succeed: 'T-succeed', retry: 'T-retry' },
  ...{ middleTitle: 'T-middle', referText: 'T-refer' },
};
const fingers =
  '{"canvas":"c","webgl":"w","plugins":"p","audio":"a","fonts":"f","userAgent":"u","screenResolution":"s"}';

export const SCENARIOS: { readonly [id: string]: Scenario } = {
  'browser.storage.optionToken': { options: { token: 'opt-1' } },
  'browser.storage.corruptUser': { storage: { _authing_user: '{bad' } },
  'browser.storage.sharedBetweenClients': { storage: { _authing_token: 'shared-1' } },
  'browser.storage.expiredToken': { storage: { _authing_token: 'user-token-1' } },
  'browser.http.corsRest': {
    origin: APP_HOST,
    options: { tenantId: 'ten-1', userPoolId: 'pool-1' },
  },
  'browser.http.cookiesSent': { origin: APP_HOST, twice: true },
  'browser.http.graphqlRefused': { args: ['x'], options: { appHost: 'http://127.0.0.1:9' } },
  'browser.http.graphqlTimeout': { args: ['x'], options: { timeout: 200 } },
  'browser.http.basicAuth': {
    args: ['code-1'],
    options: {
      ...{ secret: 'sec-1', redirectUri: 'https://app.example/cb' },
      tokenEndPointAuthMethod: 'client_secret_basic',
    },
  },
  'browser.loginByEmailCode.noAppHost': {
    args: ['bob@example.com', '1'],
    options: { appHost: '', host: 'http://127.0.0.1:9' },
    until: 'ended',
  },
  'browser.social.success': social(),
  'browser.social.authorization_params': social(
    {
      ...{ authorization_params: { old: 1 }, authorizationParams: { new: 2 } },
    },
    { until: 'sent' },
  ),
  'browser.social.popupFalse': social({ popup: false }),
  'browser.social.messageJsonCode': {
    ...social(),
    act: saysThroughPopup({
      ...{ code: 500, message: '{"code":200}', data: WHO },
      ...event('socialLogin'),
    }),
  },
  'browser.social.messageJsonError': {
    ...social(),
    act: saysThroughPopup({
      ...{ code: 500, message: '{"code":2333,"message":"inner"}', data: null },
      ...event('socialLogin'),
    }),
  },
  'browser.social.listenerRemovedAfterFirst': {
    ...social(),
    act: saysThroughPopup(
      { code: 1, message: 'first', ...event('socialLogin') },
      { code: 2, message: 'second', ...event('socialLogin') },
    ),
  },
  'browser.social.wechatUA': social({ uuid: 'uuid-fixed-0123456789' }),
  'browser.social.foreignOriginMessageAccepted': {
    ...social(),
    until: 'sent',
    act: async (page) => {
      await page.evaluate((url) => {
        const frame = document.createElement('iframe');
        frame.src = url;
        document.body.append(frame);
        return new Promise((resolve) => frame.addEventListener('load', resolve));
      }, `${EVIL_HOST}/evil`);
    },
  },
  'browser.enterprise.popupBlocked': {
    ...enterprise('cas', 'cas1'),
    blockPopups: true,
    until: 'ended',
  },
  'browser.enterprise.oidc.success': enterprise('oidc', 'oidc1'),
  'browser.enterprise.oidc.messageJson': {
    ...enterprise('oidc', 'oidc1'),
    act: saysThroughPopup({
      ...{ code: 500, message: '{"code":2333,"message":"inner"}' },
      ...event('enterpriseLogin'),
    }),
  },
  'browser.enterprise.azure-ad': enterprise('azure-ad', 'aad1'),
  'browser.enterprise.popupFalse': enterprise('cas', 'cas1', { popup: false }),
  'browser.enterprise.unknownProtocolPair': { args: ['saml', 'oidc1', {}] },
  'browser.enterprise.publicConfigError': { args: ['cas', 'cas1', {}] },
  'browser.enterprise.wechatUA': enterprise('cas', 'cas1'),
  'browser.qr.mount.existing': qr(),
  'browser.qr.mount.sizes': qr({ containerSize: { width: 200, height: 180 } }),
  'browser.qr.texts.en': qr({}, { options: { lang: 'en-US' } }),
  'browser.qr.success': qr(),
  'browser.qr.successDirect': qr(),
  'browser.qr.successAutoExchange': qr({ autoExchangeUserInfo: true }),
  'browser.qr.successAutoExchangeHasToken': qr({ autoExchangeUserInfo: true }),
  'browser.qr.successAutoExchangeFails': qr({ autoExchangeUserInfo: true }),
  'browser.qr.cancelled': qr(),
  'browser.qr.mfa': qr(),
  'browser.qr.pollBusinessError': qr(),
  'browser.qr.generateFails': qr(
    {},
    { act: (page) => page.locator('#__authing_retry_btn').click() },
  ),
  'browser.qr.generateFailsCreatedBox': qr(),
  'browser.qr.customTips': qr({ tips }),
  'browser.qr.withParams': qr({
    ...{ context: { a: 1 }, customData: { b: 2 }, extIdpConnId: 'c-1', withCustomData: true },
  }),
  'browser.qr.defaultInterval': { args: ['qr-box', qrCallbacks] },
  'browser.device.getBrowserFingersCached': {
    storage: { browserId: 'cached-id', deviceFingers: fingers },
  },
  'browser.upload.uploadAvatar.accept': { args: [{ accept: '.png' }], act: choosesFile('a.png') },
  'browser.upload.updateAvatar': { act: choosesFile('a.png') },
  'browser.upload.uploadAvatar.serverError': { act: choosesFile('a.png') },
  'browser.upload.uploadAvatar.notJson': {
    options: { onError: call('onError') },
    act: choosesFile('a.png'),
  },
  'browser.upload.face.localFile.noMfaToken': { act: choosesFile('a.png') },
  'browser.upload.face.localFile.serverError': { act: choosesFile('a.png') },
  'browser.upload.face.blob.one': { args: [{ baseFace: blob }] },
  'browser.upload.face.blob.uploadFails': { args: [{ baseFace: blob }] },
  'browser.ad.derivedHost': {
    args: ['bob', 'pw'],
    options: { appHost: 'https://app1.idp.localhost' },
  },
};
