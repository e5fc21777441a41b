import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The value of the agent's configuration that names versions to keep: `app@1.4.0 app@2.0.1`. */
const PINNED_KEY = 'software.pinned';

/** As `name@version`. What cannot be read pins nothing. */
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
