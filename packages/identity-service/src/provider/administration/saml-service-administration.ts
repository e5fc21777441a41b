import { X509Certificate } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import type {
  SamlMetadata,
  SamlServiceInput,
  SamlServiceRow,
} from '@deviceportal/contract/provider-admin';
import type { ActOrigin } from '../../administration/administration-act.ts';
import type { ProviderContext } from '../provider-context.ts';
import { saveSamlService } from '../saml/saml-services.ts';
import { administerProvider } from './administer-provider.ts';
import { readSamlMetadata } from './read-saml-metadata.ts';
import {
  deleteSamlService,
  hasOtherWithEntityId,
  selectSamlServices,
} from './saml-service-list-store.ts';

/** What SAML service providers said of themselves; one for each application. */
export interface SamlServiceAdministration {
  list(): Promise<readonly SamlServiceRow[]>;
  /** @throws PortalError invalidParameters for what is no metadata of a service provider */
  readMetadata(metadata: string): SamlMetadata;
  /**
   * Makes or replaces it.
   * @throws PortalError notFound without the application; invalidParameters for an unreadable certificate, or an entity
   *   id that another application has
   */
  save(service: SamlServiceInput, origin: ActOrigin): Promise<void>;
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
    save: async (service, origin) => {
      if (service.certificate !== null && endOf(service.certificate) === null) {
        throw wrong('certificate', 'cannot be read as a certificate');
      }
      await administer(origin, async ({ client, write }) => {
        const application = await applications.find(service.appId, client);
        if (application === undefined) {
          throw new PortalError('notFound', { facts: { application: service.appId } });
        }
        if (await hasOtherWithEntityId(client, service)) {
          throw wrong('entityId', 'another application has it');
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

/** Null where it cannot be read. */
function endOf(certificate: string): string | null {
  try {
    return new X509Certificate(certificate).validToDate.toISOString();
  } catch {
    return null;
  }
}

function wrong(field: string, message: string): PortalError {
  return new PortalError('invalidParameters', { issues: [{ path: [field], message }] });
}
