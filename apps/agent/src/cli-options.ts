/** The command line of `deviceportal-agent`. Invalid arguments exit with a one-line error. */

import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serialNumberSchema } from '@deviceportal/contract/ids';
import { defaultStateDirectory } from './default-state-directory.ts';
import { readFileSettings, type FileSettings } from './files/file-settings.ts';
import type { OfferedPage } from '@deviceportal/device-protocol/web-page-offer';
import type { TerminalSettings } from './terminal/terminal-host.ts';
import { readWebPages } from './web-pages/web-page-settings.ts';

const commands = [
  'enroll',
  'run',
  'install-service',
  'upgrade',
  'uninstall-service',
  'status',
  'version',
] as const;
/** Commands of earlier releases. Scripts that use them keep working. */
const FORMER_NAMES: Readonly<Record<string, CliCommand>> = { enrol: 'enroll' };
export type CliCommand = (typeof commands)[number];

export interface CliOptions {
  readonly command: CliCommand;
  readonly server: string | null;
  readonly claim: string | null;
  /** ID of the update key that the server must announce at enrollment. */
  readonly releaseKey: string | null;
  /** URLs of brokers to use instead of those that the server announced. */
  readonly mqtt: readonly string[] | null;
  readonly serialNumber: string | null;
  readonly stateDirectory: string;
  /** Whether a service manager started the agent and restarts it when it exits. */
  readonly service: boolean;
  readonly from: string | null;
  readonly json: boolean;
  readonly terminal: TerminalSettings;
  readonly files: FileSettings;
  readonly webPages: readonly OfferedPage[];
}

export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const USAGE = `deviceportal-agent enroll --server URL --claim TOKEN [--key KEY_ID] [--serial S] [--state-dir D]
deviceportal-agent run [--server URL --claim TOKEN [--key KEY_ID]] [--serial S] [--state-dir D] [--mqtt mqtts://HOST:PORT,…] [--terminal ACCOUNT|off] [--terminal-consent PROGRAM] [--files FOLDER[:rw],…|off] [--web-pages PORT[=TITLE],…|off]
deviceportal-agent install-service [--server URL --claim TOKEN [--key KEY_ID]] [--serial S] [--state-dir D] [--terminal ACCOUNT|off] [--terminal-consent PROGRAM] [--files FOLDER[:rw],…|off] [--web-pages PORT[=TITLE],…|off]
deviceportal-agent upgrade [--from FILE_OR_URL] [--state-dir D]
deviceportal-agent uninstall-service [--state-dir D]
deviceportal-agent status [--json] [--state-dir D]
deviceportal-agent version`;

const optionTypes = {
  server: { type: 'string' },
  claim: { type: 'string' },
  key: { type: 'string' },
  mqtt: { type: 'string' },
  serial: { type: 'string' },
  'state-dir': { type: 'string' },
  service: { type: 'boolean' },
  from: { type: 'string' },
  json: { type: 'boolean' },
  terminal: { type: 'string' },
  'terminal-consent': { type: 'string' },
  files: { type: 'string' },
  'web-pages': { type: 'string' },
} as const;

/**
 * Options can also be set as `DEVICEPORTAL_AGENT_SERVER`, `_CLAIM`, `_KEY`, `_SERIAL`,
 * `_STATE_DIR`, `_TERMINAL`, `_TERMINAL_CONSENT`, `_FILES`, `_WEB_PAGES`, because a claim on the command
 * line is visible to all users of the machine.
 */
export function parseCliOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): CliOptions {
  const { values, positionals } = parse(args);
  const [name, ...rest] = positionals;
  const command = commands.find((candidate) => candidate === (FORMER_NAMES[name ?? ''] ?? name));
  if (!command) throw new UsageError(name ? `unknown command ${name}` : 'missing command');
  if (rest.length > 0) throw new UsageError(`unexpected argument ${rest[0]}`);
  const fromEnvironment = (suffix: string): string | undefined =>
    environment[`DEVICEPORTAL_AGENT_${suffix}`] || undefined;
  const server = values.server ?? fromEnvironment('SERVER') ?? null;
  const claim = values.claim ?? fromEnvironment('CLAIM') ?? null;
  if (command === 'enroll' && (!server || !claim)) {
    throw new UsageError('enroll requires --server and --claim');
  }
  if (claim && !server) throw new UsageError('--claim requires --server');
  return {
    command,
    server: server === null ? null : checkServer(server),
    claim,
    releaseKey: values.key ?? fromEnvironment('KEY') ?? null,
    mqtt: checkBrokers(values.mqtt),
    serialNumber: checkSerial(values.serial ?? fromEnvironment('SERIAL')),
    stateDirectory: resolve(
      values['state-dir'] ?? fromEnvironment('STATE_DIR') ?? defaultStateDirectory(),
    ),
    service: values.service ?? false,
    from: values.from ?? null,
    json: values.json ?? false,
    terminal: {
      ...readTerminal(values.terminal ?? fromEnvironment('TERMINAL')),
      consentProgram: readProgram(
        values['terminal-consent'] ?? fromEnvironment('TERMINAL_CONSENT'),
      ),
    },
    files: readFiles(values.files ?? fromEnvironment('FILES')),
    webPages: readPages(values['web-pages'] ?? fromEnvironment('WEB_PAGES')),
  };
}

/** `off`, or the account in which terminals run. By default the one of the agent, unless it is root. */
function readTerminal(text: string | undefined): TerminalSettings {
  if (text === undefined) return { isOn: true, account: null };
  if (text === 'off') return { isOn: false, account: null };
  if (/^[a-z_][a-z0-9_.-]{0,31}$/i.test(text) && text !== 'root')
    return { isOn: true, account: text };
  throw new UsageError('--terminal must be "off" or the name of an account other than root');
}

function readFiles(text: string | undefined): FileSettings {
  const settings = readFileSettings(text);
  if (settings !== null) return settings;
  throw new UsageError(
    '--files must be "off" or absolute folders with commas, such as /var/log,/srv/kiosk:rw',
  );
}

function readPages(text: string | undefined): readonly OfferedPage[] {
  const pages = readWebPages(text);
  if (pages !== null) return pages;
  throw new UsageError(
    '--web-pages must be "off" or at most 8 ports with commas, such as 8080=Status,9000',
  );
}

/** The program that asks a person at the device before a terminal is opened. */
function readProgram(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (isAbsolute(text)) return text;
  throw new UsageError('--terminal-consent must be the absolute path of a program');
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: optionTypes, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function checkServer(text: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`--server ${text} is not an http or https URL`);
  }
  return url.href;
}

function checkBrokers(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null;
  const urls = text.split(',').map((url) => url.trim());
  if (urls.every((url) => /^mqtts?:$/.test(URL.parse(url)?.protocol ?? ''))) return urls;
  throw new UsageError(
    '--mqtt must be mqtts://HOST:PORT or mqtt://HOST:PORT, or several with commas',
  );
}

function checkSerial(text: string | undefined): string | null {
  if (text === undefined) return null;
  const parsed = serialNumberSchema.safeParse(text);
  if (!parsed.success) {
    throw new UsageError('--serial must be 4 to 64 letters, digits, "_" and "-"');
  }
  return parsed.data;
}
