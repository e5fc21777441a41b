import { AuthenticationClient as PublicClient } from 'authing-js-sdk';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthenticationClient as OwnClient } from '../../../identity-client/src/index.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { createPhone, scanPicture } from './support/phone.ts';

const PASSWORD = 'Correct horse 1';
const totpOf = { authenticatorType: 'totp', source: 'SELF' } as const;
let idp: OpenProvider;

beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
});
afterAll(() => idp[Symbol.asyncDispose]());

/** Classes of the same names and calls. */
const clients = [
  ['the unchanged public package', PublicClient],
  ['our client', OwnClient as unknown as typeof PublicClient],
] as const;

describe.each(clients)('%s, in Node', (name, Client) => {
  const username = name === 'our client' ? 'ours' : 'public';
  const email = `${username}@example.com`;
  let client: PublicClient;

  beforeAll(async () => {
    await idp.makeUser({ username, email, emailVerified: true, password: PASSWORD });
    const socketUri = idp.host.replace('http:', 'ws:');
    client = new Client({ appId: idp.appId, appHost: idp.host, socketUri });
    await client.loginByUsername(username, PASSWORD);
  });

  const numberNow = (secret: string) =>
    generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });
  const mfaTokenOf = async (): Promise<string> => {
    const refused = await client.loginByUsername(username, PASSWORD).then(
      () => Promise.reject(new Error('no second step was asked for')),
      (error: unknown) => error as { code: number; data: { mfaToken: string } },
    );
    expect(refused.code).toBe(1636);
    return refused.data.mfaToken;
  };

  it('a QR code of each scene, from its picture to the signed-in user', async () => {
    const phone = createPhone(idp);
    for (const [index, kind] of [client.qrcode, client.wxqrcode, client.wechatmpqrcode].entries()) {
      const { random, url } = await kind.geneCode();
      const address = await scanPicture(url);
      await (index === 0 ? phone.signIn(address, email) : phone.open(address));
      expect((await kind.checkStatus(random)).status).toBe(1);
      await phone.press(address, 'confirm');
      const { ticket } = await kind.checkStatus(random);
      const user = await kind.exchangeUserInfo(ticket ?? '');
      expect(user).toMatchObject({ email, username });
      expect(await idp.context.tokens.verify(user.token ?? '')).toBeDefined();
    }
  });

  it('an authenticator app: added, listed, required, recovered, deleted', async () => {
    const app = await client.mfa.assosicateMfaAuthenticator(totpOf as never);
    const first = await numberNow(app.secret);
    await expect(
      client.mfa.confirmAssosicateMfaAuthenticator({ ...totpOf, totp: '000000' } as never),
    ).rejects.toMatchObject({ code: 2402 });
    await client.mfa.confirmAssosicateMfaAuthenticator({ ...totpOf, totp: first } as never);
    expect(await client.mfa.getMfaAuthenticators(totpOf as never)).toMatchObject([
      { enable: true, authenticatorType: 'totp' },
    ]);
    const token = client.tokenProvider.getToken();
    const byNumber = await mfaTokenOf();
    idp.clock.advance(30_000);
    const totp = await numberNow(app.secret);
    const user = await client.mfa.verifyTotpMfa({ totp, mfaToken: byNumber });
    expect(user.username).toBe(username);
    const recoveryCode = app.recovery_code;
    const mfaToken = await mfaTokenOf();
    expect(await client.mfa.verifyTotpRecoveryCode({ recoveryCode, mfaToken })).toMatchObject({
      email,
    });
    client.tokenProvider.setToken(token);
    expect(await client.mfa.deleteMfaAuthenticator()).toMatchObject({ code: 200 });
    expect(await client.loginByUsername(username, PASSWORD)).toMatchObject({ email });
  });

  it('security level, applications, real name, linked accounts, events', async () => {
    expect(await client.getSecurityLevel()).toMatchObject({ email: true, password: true });
    expect(await client.listApplications()).toMatchObject({
      totalCount: 1,
      list: [{ id: idp.appId }],
    });
    expect(await client.principal.detail()).toBeNull();
    await expect(
      client.principal.authenticate({ type: 'P', name: 'x', idCard: 'y', bankCard: 'z' } as never),
    ).rejects.toMatchObject({ code: 2802 });
    const primaryUserToken = client.tokenProvider.getToken();
    await expect(
      client.unLinkAccount({ primaryUserToken, provider: 'github' } as never),
    ).rejects.toMatchObject({ code: 2904 });
    await expect(
      client.linkAccount({ primaryUserToken, secondaryUserToken: primaryUserToken } as never),
    ).rejects.toMatchObject({ code: 2901 });
    const heard: unknown[] = [];
    client.event.sub('walk', ((text: unknown) => void heard.push(text)) as never, () => undefined);
    await expect
      .poll(
        async () => {
          await client.event.pub('walk', 'on');
          return heard[0];
        },
        { timeout: 15_000, interval: 300 },
      )
      .toBe('on');
    expect(idp.failures).toEqual([]);
  });
});
