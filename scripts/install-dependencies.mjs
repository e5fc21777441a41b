import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leaveOutUnreadFiles } from './leave-out-unread-files.mjs';
import { root } from './paths.mjs';
import { runCommand } from './run-command.mjs';

/**
 * Installs exactly the lock file's packages if `node_modules` is missing, incomplete, or belongs to
 * another lock file.
 *
 * @param {string} folder
 * @param {{ toRun?: boolean }} options with `toRun`, only what the build and the server need
 */
export async function installDependencies(folder = root, { toRun = false } = {}) {
  if (isInstalled(folder, { toRun })) return;
  process.stdout.write('Installing packages …\n');
  const args = [
    'ci',
    ...(toRun ? ['--omit=dev'] : []),
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const { code } = npm?.endsWith('.js')
    ? await runCommand(process.execPath, [npm, ...args], { cwd: folder })
    : await runCommand('npm', args, { cwd: folder });
  if (code !== 0) throw new Error('npm ci failed. See its output above.');
  if (toRun) await leaveOutUnreadFiles(folder);
  // npm does not create it if there is nothing to install.
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(stampOf(folder), `${hashOfLock(folder)}${toRun ? TO_RUN : ''}`);
}

/** Whether the packages of this lock file are installed, for development or, with `toRun`, at least to run. */
export function isInstalled(folder, { toRun = false } = {}) {
  if (!hasDependencies(folder, { toRun })) return false;
  if (existsSync(stampOf(folder))) {
    const stamp = readFileSync(stampOf(folder), 'utf8');
    const hash = hashOfLock(folder);
    return stamp === hash || (toRun && stamp === `${hash}${TO_RUN}`);
  }
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  // Installed manually: newer than the lock file means installed from it.
  return statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}

/** `npm install` in the root folder removes packages of the optional packages and leaves their stamp. */
function hasDependencies(folder, { toRun }) {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return true;
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
  return Object.keys({ ...dependencies, ...(toRun ? {} : devDependencies) }).every((name) =>
    existsSync(join(folder, 'node_modules', name)),
  );
}

/** The end of a stamp after `npm ci --omit=dev`. */
const TO_RUN = ' --omit=dev';

function stampOf(folder) {
  return join(folder, 'node_modules', '.device-portal-lock');
}

function hashOfLock(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}
