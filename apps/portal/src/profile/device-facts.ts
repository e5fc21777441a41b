import type { SignedInDevice } from '@deviceportal/identity-client';

/** The storage key under which the provider’s client keeps the ID of this browser. */
const BROWSER_ID = 'browserId';

/** The ID that the provider requires to change the device. */
export function deviceIdOf({ device }: SignedInDevice): string {
  return String(device['deviceId'] ?? device['id'] ?? device['deviceUniqueId'] ?? '');
}

/** The browser and operating system, as far as known. */
export function deviceNameOf({ device }: SignedInDevice): string {
  const parts = [device['name'], device['os']].filter(
    (part): part is string => typeof part === 'string' && part !== '',
  );
  return parts.join(' · ') || deviceIdOf({ device });
}

export function isThisBrowser({ device }: SignedInDevice): boolean {
  try {
    const own = localStorage.getItem(BROWSER_ID);
    return own !== null && device['deviceUniqueId'] === own;
  } catch {
    return false;
  }
}
