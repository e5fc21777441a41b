/**
 * The agent as a service: a systemd unit on Linux, a launchd property list on macOS. The program is
 * in versioned directories of the state directory, so that an upgrade switches one link.
 */

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AGENT_VERSION } from './agent-version.ts';
import { fileSettingsText, type FileSettings } from './files/file-settings.ts';
import type { OfferedPage } from '@deviceportal/device-protocol/web-page-offer';
import type { TerminalSettings } from './terminal/terminal-host.ts';
import { webPagesText } from './web-pages/web-page-settings.ts';
import * as fileSystem from 'node:fs/promises';
import { writeDurably } from './machine/durable-files.ts';
import { AGENT_PACKAGE, PackageDirectory, programRoot } from './machine/package-directory.ts';

/** Set in the bundle by `build-bundle.ts`. */
declare const LAUNCHER_SOURCE: string | undefined;

const SYSTEMD_NAME = 'deviceportal-agent.service';
const LAUNCHD_LABEL = 'com.deviceportal.agent';
const run = promisify(execFile);

export interface ServiceDescription {
  readonly nodePath: string;
  readonly programPath: string;
  readonly stateDirectory: string;
  readonly serialNumber: string | null;
  readonly terminal?: TerminalSettings;
  readonly files?: FileSettings;
  readonly webPages?: readonly OfferedPage[];
}

const argumentsOf = (service: ServiceDescription): string[] => [
  service.nodePath,
  service.programPath,
  'run',
  '--service',
  '--state-dir',
  service.stateDirectory,
  ...(service.serialNumber === null ? [] : ['--serial', service.serialNumber]),
  ...terminalArguments(service.terminal),
  ...fileArguments(service.files),
  ...(service.webPages?.length ? ['--web-pages', webPagesText(service.webPages)] : []),
];

function fileArguments(files: FileSettings | undefined): string[] {
  const text = files === undefined ? '' : fileSettingsText(files);
  return text === '' ? [] : ['--files', text];
}

function terminalArguments(terminal: TerminalSettings | undefined): string[] {
  if (terminal?.isOn === false) return ['--terminal', 'off'];
  const { account = null, consentProgram = null } = terminal ?? {};
  return [
    ...(account === null ? [] : ['--terminal', account]),
    ...(consentProgram === null ? [] : ['--terminal-consent', consentProgram]),
  ];
}

/** `KillMode=process`: running commands outlive a restart of the agent, which adopts them. */
export function systemdUnit(service: ServiceDescription, wantedBy: string): string {
  const command = argumentsOf(service).map(quoteForSystemd).join(' ');
  return `[Unit]
Description=Device Portal agent
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=${command}
Restart=always
RestartSec=2
KillMode=process
UMask=0077

[Install]
WantedBy=${wantedBy}
`;
}

/** `AbandonProcessGroup`: the same for launchd. */
export function launchdPropertyList(service: ServiceDescription): string {
  const strings = argumentsOf(service)
    .map((argument) => `    <string>${escapeXml(argument)}</string>`)
    .join('\n');
  const logPath = escapeXml(join(service.stateDirectory, 'agent.log'));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${strings}
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>AbandonProcessGroup</key><true/>
  <key>StandardErrorPath</key><string>${logPath}</string>
</dict>
</plist>
`;
}

const quoteForSystemd = (argument: string): string =>
  `"${argument.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const isRoot = (): boolean => process.getuid?.() === 0;
const systemctl = (...args: string[]) =>
  run('systemctl', [...(isRoot() ? [] : ['--user']), ...args]);

const unitPath = (): string =>
  isRoot()
    ? `/etc/systemd/system/${SYSTEMD_NAME}`
    : join(homedir(), '.config/systemd/user', SYSTEMD_NAME);

const propertyListPath = (): string =>
  join(
    isRoot() ? '/' : homedir(),
    'Library',
    isRoot() ? 'LaunchDaemons' : 'LaunchAgents',
    `${LAUNCHD_LABEL}.plist`,
  );

const launchdDomain = (): string => (isRoot() ? 'system' : `gui/${process.getuid?.() ?? 0}`);

/** Rejects if there is no service manager. Called before the claim is used. */
export async function requireServiceManager(): Promise<void> {
  await ownProgram();
  if (process.platform === 'darwin') return;
  // The directory exists if systemd runs this machine: sd_booted(3).
  await stat('/run/systemd/system').catch(() => {
    throw new Error(
      'systemd is not running on this machine: omit --service and start "run" with your own service manager',
    );
  });
}

/** Installs the program in the state directory and starts it, now and at every boot. */
export async function installService(
  options: Pick<ServiceDescription, 'stateDirectory' | 'serialNumber' | 'terminal'>,
): Promise<string> {
  const programPath = await installProgram(options.stateDirectory, await ownProgram());
  const service = { ...options, nodePath: process.execPath, programPath };
  if (process.platform === 'darwin') {
    await writeService(propertyListPath(), launchdPropertyList(service));
    await run('launchctl', ['bootout', launchdDomain(), propertyListPath()]).catch(() => {});
    await run('launchctl', ['bootstrap', launchdDomain(), propertyListPath()]);
    return propertyListPath();
  }
  await writeService(
    unitPath(),
    systemdUnit(service, isRoot() ? 'multi-user.target' : 'default.target'),
  );
  await systemctl('daemon-reload');
  await systemctl('enable', SYSTEMD_NAME);
  await systemctl('restart', SYSTEMD_NAME);
  // Without this, a user's services run only while the user is signed in.
  if (!isRoot()) await run('loginctl', ['enable-linger']).catch(() => {});
  return unitPath();
}

export async function uninstallService(): Promise<string> {
  if (process.platform === 'darwin') {
    await run('launchctl', ['bootout', launchdDomain(), propertyListPath()]).catch(() => {});
    await rm(propertyListPath(), { force: true });
    return propertyListPath();
  }
  await systemctl('disable', '--now', SYSTEMD_NAME).catch(() => {});
  await rm(unitPath(), { force: true });
  await systemctl('daemon-reload').catch(() => {});
  return unitPath();
}

export async function restartService(): Promise<void> {
  if (process.platform === 'darwin') {
    await run('launchctl', ['kickstart', '-k', `${launchdDomain()}/${LAUNCHD_LABEL}`]);
  } else await systemctl('restart', SYSTEMD_NAME);
}

/**
 * Makes a bundle the current program and installs the launcher next to it. Returns the launcher,
 * whose path never changes.
 */
async function installProgram(stateDirectory: string, bundlePath: string): Promise<string> {
  const root = programRoot(stateDirectory);
  const launcher = join(root, 'agent-launcher.mjs');
  const staged = await programStage(stateDirectory);
  await copyFile(bundlePath, staged);
  await mkdir(root, { recursive: true, mode: 0o700 });
  await writeDurably(fileSystem, launcher, launcherSource());
  await new PackageDirectory(root).install({
    name: AGENT_PACKAGE,
    version: AGENT_VERSION,
    artifactPath: staged,
    operation: `program/${randomUUID()}`,
  });
  return launcher;
}

/** Staging area of a program: a private folder, and the name under which the launcher finds it. */
export async function programStage(stateDirectory: string): Promise<string> {
  const folder = join(stateDirectory, 'upgrade');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, 'agent.mjs');
}

function launcherSource(): string {
  if (typeof LAUNCHER_SOURCE === 'string') return LAUNCHER_SOURCE;
  throw new Error('a service requires the bundle: run agent.mjs, not the sources');
}

async function ownProgram(): Promise<string> {
  const own = fileURLToPath(import.meta.url);
  if (own.endsWith('.mjs')) return own;
  throw new Error('a service requires the bundle: run agent.mjs, not the sources');
}

async function writeService(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
