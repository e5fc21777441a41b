import { publicConfigOf } from '../connections/public-config.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Application } from '../applications/application.ts';

/** What the page offers beside code and password. */
export type OtherWay =
  | {
      readonly kind: 'connection';
      readonly identifier: string;
      readonly name: string;
      /** A `data:` address: nothing of anybody else is loaded. */
      readonly logo: string | undefined;
    }
  | { readonly kind: 'ldap' | 'ad' | 'qr' };

/** What the application's public configuration offers, in the order of every sign-in page of it. */
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
