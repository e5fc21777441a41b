import type { Application } from '../applications/application.ts';
import type { ProviderSettings } from '../provider/provider-settings.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';

type Settings = Pick<ProviderSettings, 'application' | 'registration' | 'registrationDomains'>;
type Registering = Pick<Application, 'appId' | 'registration'>;

/** Whether users can register at this application. */
function isOpen({ registration: provider }: Settings, { registration }: Registering): boolean {
  return registration === 'as-provider' ? provider === 'on' : registration === 'open';
}

/**
 * Refuses what no registration at this application could become: it is closed, and its allow-list of email domains does
 * not have this address. The list is for the portal's own application.
 * @param email as it was typed; undefined where the registration has none
 * @throws ProviderError registrationIsClosed
 */
export function requireRegistration(
  settings: Settings,
  application: Registering,
  email: string | undefined,
): void {
  if (isOpen(settings, application)) return;
  const domains = application.appId === settings.application.id ? settings.registrationDomains : [];
  if (email !== undefined && domains.includes(domainOf(email))) return;
  throw new ProviderError(refusals.registrationIsClosed);
}

/** A whole domain, never the end of one: `evil-corp.example` does not end with `corp.example`. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
