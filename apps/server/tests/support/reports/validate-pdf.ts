import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folder into which `.ci/parts/verapdf` installs. */
const folder = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'device-portal/parts/verapdf-1.28.2',
);

/** Whether veraPDF is missing. Its tests are then left out, with one line. */
export function lacksVeraPdf(): boolean {
  if (existsSync(folder)) return false;
  process.stdout.write('Skipped: tests that need veraPDF (.ci/parts/verapdf).\n');
  return true;
}

/** Violations of PDF/UA-1 (ISO 14289-1) in files, as veraPDF reports them, and the number of files that conform. */
export async function validatePdfs(
  files: readonly string[],
): Promise<{ readonly passed: number; readonly faults: string[] }> {
  const args = ['-cp', join(folder, '*'), 'org.verapdf.apps.GreenfieldCliWrapper'];
  const options = ['--flavour', 'ua1', '--format', 'text', '-v'];
  const { stdout } = await promisify(execFile)('java', [...args, ...options, ...files], {
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }));
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const passed = lines.filter((line) => line.startsWith('PASS ')).length;
  return { passed, faults: lines.filter((line) => !line.startsWith('PASS ')) };
}
