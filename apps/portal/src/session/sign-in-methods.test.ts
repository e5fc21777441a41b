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

describe('sign-in methods of an application', () => {
  it('reads the public configuration and ignores unknown methods', () => {
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
    '%j offers no methods',
    (data) => {
      expect(readSignInMethods(data)).toEqual({ qrCode: false, directories: [], buttons: [] });
    },
  );
});
