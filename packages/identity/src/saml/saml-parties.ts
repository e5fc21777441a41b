import type { Application } from '../applications/application.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { checkSamlMessage } from './check-saml-message.ts';
import {
  loadSamlify,
  type SamlIdentityProvider,
  type SamlServiceProvider,
} from './saml-library.ts';
import { findSamlService, hasOtherWithEntityId, type SamlService } from './saml-service-store.ts';

const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const NAME_ID_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/** Identity provider and service provider of one application, for samlify. */
export interface SamlParties {
  readonly idp: SamlIdentityProvider;
  readonly sp: SamlServiceProvider;
  readonly entityId: string;
  /** URL for sign-in requests; `/logout` is below it. */
  readonly place: string;
  readonly service: SamlService;
}

/**
 * @param issuer of the request, which is the audience where the service provider did not register itself: then its
 *   assertions go to the redirect addresses of the application only
 * @throws Error where that audience is another application
 */
export async function samlPartiesOf(
  context: Pick<ProviderContext, 'db' | 'keys' | 'settings'>,
  application: Application,
  { certificate, issuer }: { readonly certificate: string; readonly issuer?: string | undefined },
): Promise<SamlParties> {
  const { appId } = application;
  const service = (await findSamlService(context.db, appId)) ?? unregistered(application, issuer);
  if (await hasOtherWithEntityId(context.db, service)) {
    throw new Error('Issuer: this is another application');
  }
  const place = `${context.settings.baseUrl}/api/v2/saml-idp/${appId}`;
  const entityId = `${place}/metadata`;
  const places = (url: string) => [
    { Binding: REDIRECT_BINDING, Location: url },
    { Binding: POST_BINDING, Location: url },
  ];
  const { privateKey } = await context.keys.saml();
  const samlify = loadSamlify(checkSamlMessage);
  const idp = samlify.IdentityProvider({
    entityID: entityId,
    signingCert: certificate,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    requestSignatureAlgorithm: RSA_SHA256,
    wantAuthnRequestsSigned: service.certificate !== null,
    wantLogoutRequestSigned: service.certificate !== null,
    nameIDFormat: [NAME_ID_FORMAT],
    singleSignOnService: places(place),
    singleLogoutService: places(`${place}/logout`),
  });
  const sp = samlify.ServiceProvider({
    entityID: service.entityId,
    authnRequestsSigned: service.certificate !== null,
    wantAssertionsSigned: true,
    wantMessageSigned: true,
    wantLogoutResponseSigned: true,
    nameIDFormat: [NAME_ID_FORMAT],
    assertionConsumerService: service.acsUrls.map((Location) => ({
      Binding: POST_BINDING,
      Location,
    })),
    ...(service.certificate !== null && { signingCert: service.certificate }),
    ...(service.logoutUrl !== null && { singleLogoutService: places(service.logoutUrl) }),
  });
  return { idp, sp, entityId, place, service };
}

function unregistered(
  { appId, redirectUris, logoutRedirectUris }: Application,
  issuer: string | undefined,
): SamlService {
  return {
    appId,
    entityId: issuer ?? redirectUris[0] ?? appId,
    acsUrls: redirectUris,
    logoutUrl: logoutRedirectUris[0] ?? null,
    certificate: null,
  };
}
