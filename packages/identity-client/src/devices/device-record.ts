import type { IdentityClient } from '../core/identity-client.ts';
import { describeBrowser } from './describe-browser.ts';
import { getDeviceFingerprint } from './device-fingerprint.ts';

/** All data with which this browser is registered. */
export async function readDeviceRecord(client: IdentityClient): Promise<object> {
  const { browserId, deviceFingers } = await getDeviceFingerprint(client);
  const { userAgent, language, cookieEnabled } = navigator;
  const mimeTypes = Array.from(navigator.mimeTypes, ({ type, description, suffixes }) => ({
    type,
    description,
    suffixes,
  }));
  const plugins = Array.from(navigator.plugins, (plugin) => ({
    name: plugin.name,
    description: plugin.description,
    mimeTypes: Array.from(plugin, ({ type, suffixes }) => ({ type, suffixes })),
  }));
  return {
    deviceUniqueId: browserId,
    ...describeBrowser(userAgent),
    ...readScreen(userAgent),
    language,
    onLine: navigator.onLine,
    mimeTypes: JSON.stringify(mimeTypes),
    mimeTypesLength: mimeTypes.length,
    cookie: cookieEnabled,
    pluginsLength: plugins.length,
    plugins: JSON.stringify(plugins),
    userAgent,
    type: 'Browser',
    browserId,
    ...deviceFingers,
  };
}

function readScreen(userAgent: string): object {
  return {
    screenHeight: /Chrome|Firefox/.test(userAgent) ? screen.height : window.innerHeight,
    screenWidth: window.innerWidth,
    colorDepth: screen.colorDepth,
  };
}
