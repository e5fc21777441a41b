import { publicConfigOf } from '../connections/public-config.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Application } from '../applications/application.ts';

/** Sign-in methods in addition to code and password. */
export type OtherWay =
  | {
      readonly kind: 'connection';
      readonly identifier: string;
      readonly name: string;
      /** A `data:` URL, so that nothing is loaded from other servers. */
      readonly logo: string | undefined;
    }
  | { readonly kind: 'ldap' | 'ad' | 'qr' };

/** The methods of the application's public configuration, in their order. */
export function otherWaysOf(
  context: Pick<ProviderContext, 'settings'>,
  application: Application,
): readonly OtherWay[] {
  const { identityProviders, loginMethods, socialConnections } = publicConfigOf(
    context,
    application,
  );
  return [
    ...[...identityProviders, ...socialConnections].map(
      ({ identifier, displayName, logo }) =>
        ({
          kind: 'connection',
          identifier,
          name: displayName,
          logo: logo?.startsWith('data:') ? logo : undefined,
        }) as const,
    ),
    ...(['ldap', 'ad'] as const)
      .filter((kind) => loginMethods.includes(kind))
      .map((kind) => ({ kind }) as const),
    ...(loginMethods.includes('app-qrcode') ? [{ kind: 'qr' } as const] : []),
  ];
}
