import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { IdentityClient } from '../core/identity-client.ts';
import { asRecord } from '../core/send.ts';

/** A digest of each characteristic of a browser. */
export interface DeviceFingers {
  readonly userAgentFingerprint: string;
  readonly audioFingerprint: string;
  readonly canvasFingerprint: string;
  readonly screenResolutionFingerprint: string;
  readonly webglFingerprint: string;
  readonly fontsFingerprint: string;
  readonly pluginsFingerprint: string;
}

export interface DeviceFingerprint {
  readonly browserId: string;
  readonly deviceFingers: DeviceFingers;
}

const BROWSER_ID_KEY = 'browserId';
const FINGERS_KEY = 'deviceFingers';
const NAMES = [
  'userAgent',
  'audio',
  'canvas',
  'screenResolution',
  'webgl',
  'fonts',
  'plugins',
] as const;
type Finger = (typeof NAMES)[number];

/** Returns the stored fingerprint of this browser, or computes and stores it. */
export async function getDeviceFingerprint(client: IdentityClient): Promise<DeviceFingerprint> {
  const kept = readKept(client);
  if (kept) return kept;
  const { readBrowser } = await import('./read-browser.ts');
  const { browserId, inputs } = await readBrowser();
  const fingers = Object.fromEntries(NAMES.map((name) => [name, shortDigest(inputs[name])]));
  client.storage.setItem(BROWSER_ID_KEY, browserId);
  client.storage.setItem(FINGERS_KEY, JSON.stringify(fingers));
  return { browserId, deviceFingers: toDeviceFingers(fingers) };
}

function readKept({ storage }: IdentityClient): DeviceFingerprint | undefined {
  const browserId = storage.getItem(BROWSER_ID_KEY);
  const text = storage.getItem(FINGERS_KEY);
  if (!browserId || !text) return undefined;
  try {
    const fingers = asRecord(JSON.parse(text));
    const isWhole = NAMES.every((name) => typeof fingers[name] === 'string');
    return isWhole ? { browserId, deviceFingers: toDeviceFingers(fingers) } : undefined;
  } catch {
    return undefined;
  }
}

function toDeviceFingers(fingers: Readonly<Record<string, unknown>>): DeviceFingers {
  const named = NAMES.map((name: Finger) => [`${name}Fingerprint`, fingers[name]]);
  return Object.fromEntries(named) as unknown as DeviceFingers;
}

function shortDigest(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text))).slice(0, 32);
}
