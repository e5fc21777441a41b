/** Which folders of the device the portal can reach: set on the device, and only there. */

import { normalize } from 'node:path';

export interface AllowedFolder {
  /** Absolute, without a slash at its end. */
  readonly path: string;
  readonly isWritable: boolean;
}

export interface FileSettings {
  readonly isOn: boolean;
  /** In addition to the exchange folder of the agent. */
  readonly folders: readonly AllowedFolder[];
}

/** Only the exchange folder. */
export const defaultFileSettings: FileSettings = { isOn: true, folders: [] };

const WRITABLE = ':rw';

/**
 * `off`, or folders with commas between them, each of which is read-only unless it ends with `:rw`:
 * `/var/log,/srv/kiosk:rw`.
 * @returns null if it is neither
 */
export function readFileSettings(text: string | undefined): FileSettings | null {
  if (text === undefined) return defaultFileSettings;
  if (text === 'off') return { isOn: false, folders: [] };
  const folders = text.split(',').map((part) => {
    const isWritable = part.endsWith(WRITABLE);
    return { path: isWritable ? part.slice(0, -WRITABLE.length) : part, isWritable };
  });
  return folders.every(({ path }) => isPlainPath(path)) ? { isOn: true, folders } : null;
}

export const fileSettingsText = ({ isOn, folders }: FileSettings): string =>
  isOn
    ? folders.map(({ path, isWritable }) => `${path}${isWritable ? WRITABLE : ''}`).join(',')
    : 'off';

/** Absolute, without `.`, `..`, empty parts, or a slash at its end. */
export const isPlainPath = (path: string): boolean =>
  path.startsWith('/') &&
  !path.includes('\0') &&
  normalize(path) === path &&
  (path === '/' || !path.endsWith('/'));
