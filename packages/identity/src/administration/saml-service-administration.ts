import { X509Certificate } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import type {
  SamlMetadata,
  SamlServiceRow,
  SaveSamlServiceInput,
} from '@deviceportal/contract/provider-admin';
import { refuse } from '@deviceportal/contract/refuse';
import type { ActOrigin } from './administration-act.ts';
import { lockApplication } from '../applications/application-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { hasOtherWithEntityId } from '../saml/saml-service-store.ts';
import { saveSamlService } from '../saml/saml-services.ts';
import { administerProvider } from './administer-provider.ts';
import { readSamlMetadata } from './read-saml-metadata.ts';
import {
  deleteSamlService,
  samlServiceModifiedAt,
  selectSamlServices,
} from './saml-service-list-store.ts';
import { staleError } from './stale-error.ts';

/** Administration of SAML service providers, one per application. */
export interface SamlServiceAdministration {
  list(): Promise<readonly SamlServiceRow[]>;
  /** @throws PortalError invalidParameters for what is no metadata of a service provider */
  readMetadata(metadata: string): SamlMetadata;
  /**
   * Makes or replaces it.
   * @throws PortalError notFound without the application; invalidParameters for an unreadable certificate, an entity id
   *   that another application has, or what has changed since
   */
  save(service: SaveSamlServiceInput, origin: ActOrigin): Promise<void>;
  remove(appId: string, origin: ActOrigin): Promise<void>;
}

export function createSamlServiceAdministration(
  context: ProviderContext,
): SamlServiceAdministration {
  const { applications, clock, db } = context;
  const administer = administerProvider(context);
  return {
    list: async () =>
      (await selectSamlServices(db)).map((row) => ({
        ...row,
        certificateEndsAt: row.certificate === null ? null : endOf(row.certificate),
      })),
    readMetadata: readSamlMetadata,
    save: async ({ basedOn, ...service }, origin) => {
      if (service.certificate !== null && endOf(service.certificate) === null) {
        throw refuse('certificate-invalid', { field: 'certificate' });
      }
      await administer(origin, async ({ client, write }) => {
        const isThere = await lockApplication(client, service.appId);
        const application = isThere ? await applications.find(service.appId, client) : undefined;
        if (application === undefined) {
          throw new PortalError('notFound', { facts: { application: service.appId } });
        }
        if ((await samlServiceModifiedAt(client, service.appId)) !== basedOn) throw staleError();
        if (await hasOtherWithEntityId(client, service)) {
          throw refuse('entity-id-taken', { field: 'entityId' });
        }
        await saveSamlService({ clock, db: client }, service);
        const { name } = application;
        await write('samlServiceSaved', {
          detail: { application: name, entityId: service.entityId },
        });
      });
    },
    remove: (appId, origin) =>
      administer(origin, async ({ client, write }) => {
        const removed = await deleteSamlService(client, appId);
        if (removed === undefined) {
          throw new PortalError('notFound', { facts: { application: appId } });
        }
        const application = await applications.find(appId, client);
        await write('samlServiceRemoved', {
          detail: { application: application?.name ?? appId, entityId: removed },
        });
      }),
  };
}

/** Null if it cannot be parsed. */
function endOf(certificate: string): string | null {
  try {
    return new X509Certificate(certificate).validToDate.toISOString();
  } catch {
    return null;
  }
}
