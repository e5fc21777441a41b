import { describe, expect, it } from 'vitest';
import { readSignInMethods } from './sign-in-methods.ts';

const config = {
  loginMethods: ['password', 'phone-code', 'app-qrcode', 'ldap'],
  identityProviders: [
    { protocol: 'oidc', identifier: 'corp', displayName: 'Corp', config: {} },
    { protocol: 'telepathy', identifier: 'x', displayName: 'X', config: {} },
    { protocol: 'saml', identifier: '', config: {} },
    null,
  ],
  socialConnections: [{ identifier: 'github' }, 'github', { identifier: 7 }],
};

describe('the ways to sign in that an application offers', () => {
  it('[sign-in-methods-1] are those of its public configuration, and nothing that is not understood', () => {
    expect(readSignInMethods(config)).toEqual({
      qrCode: true,
      directories: ['ldap'],
      buttons: [
        { kind: 'enterprise', protocol: 'oidc', identifier: 'corp', name: 'Corp' },
        { kind: 'social', protocol: 'oauth', identifier: 'github', name: 'github' },
      ],
    });
  });

  it.each([undefined, null, 'x', [], {}, { identityProviders: {}, loginMethods: 'ldap' }])(
    '[sign-in-methods-2] %j offers nothing',
    (data) => {
      expect(readSignInMethods(data)).toEqual({ qrCode: false, directories: [], buttons: [] });
    },
  );
});
