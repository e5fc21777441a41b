import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The agent's setting with the versions to keep: `app@1.4.0 app@2.0.1`. */
const PINNED_KEY = 'software.pinned';

/** As `name@version`. If the setting cannot be read, nothing is pinned. */
export async function readPinnedVersions(stateDirectory: string): Promise<readonly string[]> {
  try {
    const text = await readFile(join(stateDirectory, 'config.json'), 'utf8');
    const config = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return String(config[PINNED_KEY] ?? '')
      .split(/[\s,]+/)
      .filter((each) => each !== '');
  } catch {
    return [];
  }
}
