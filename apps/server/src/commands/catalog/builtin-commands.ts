import type { CommandDefinition } from '@deviceportal/contract/commands';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { Database } from '../../platform/database/database.ts';
import { replaceDefinitions } from '../data/command-definition-queries.ts';

export interface BuiltinCommand {
  readonly command: string;
  /** Null if the user chooses a document. */
  readonly documentName: string | null;
  readonly consequence: Consequence;
  readonly needsSerialNumber: boolean;
  readonly group: CommandDefinition['group'];
  readonly description: string;
}

const bound = (
  command: string,
  consequence: Consequence,
  group: BuiltinCommand['group'],
  description: string,
): BuiltinCommand => ({
  command,
  documentName: `DevicePortal-${command.replaceAll('/', '-')}`,
  consequence,
  needsSerialNumber: false,
  group,
  description,
});

/** The catalog of docs/design/decisions.md, section 5, in display order. */
export const builtinCommands: readonly BuiltinCommand[] = [
  bound('logs/tail', 'reads', 'diagnose', 'Show the latest lines of the system log or of a file.'),
  bound(
    'network/diagnose',
    'reads',
    'diagnose',
    'Check addresses, gateway, name servers, and reachability.',
  ),
  bound('network/ping', 'reads', 'diagnose', 'Measure packet loss and latency to a host.'),
  bound(
    'network/dns',
    'reads',
    'diagnose',
    'Resolve a name and show which name servers responded.',
  ),
  bound('storage/usage', 'reads', 'diagnose', 'Show file systems and the largest directories.'),
  bound('process/top', 'reads', 'diagnose', 'Show the processes that use the most resources.'),
  bound(
    'service/status',
    'reads',
    'diagnose',
    'Show the state of a system service and its latest log lines, or the services that have failed.',
  ),
  bound(
    'software/inventory',
    'reads',
    'diagnose',
    'List installed software and report its versions.',
  ),
  bound('config/show', 'reads', 'diagnose', 'Show the agent configuration with secrets hidden.'),
  bound('locate', 'reads', 'diagnose', 'Report the device location.'),
  bound('logs/collect', 'reads', 'diagnose', 'Package logs into a file that you can download.'),
  bound(
    'storage/clean',
    'changes',
    'fix',
    "Free up disk space by removing old temporary files, caches, and rotated logs. This can't be undone. Preview it first.",
  ),
  bound('process/kill', 'changes', 'fix', 'End a process.'),
  bound('restart/service', 'changes', 'fix', 'Restart a system service.'),
  bound('restart/agent', 'changes', 'fix', 'Restart the agent.'),
  bound(
    'agent/update',
    'changes',
    'fix',
    'Install the agent version that the portal offers, and start it.',
  ),
  bound(
    'restart/device',
    'disrupts',
    'fix',
    'Restart (reboot) the device and wait until it reconnects.',
  ),
  bound('config/set', 'changes', 'change', 'Set a value in the agent configuration.'),
  {
    ...bound(
      'software/install',
      'disrupts',
      'change',
      'Install a version of a software component.',
    ),
    needsSerialNumber: true,
  },
  {
    ...bound(
      'software/rollback',
      'disrupts',
      'change',
      'Roll back a component to its previous version.',
    ),
    needsSerialNumber: true,
  },
  {
    ...bound(
      'factory-reset',
      'destroys',
      'reset',
      'Erase the data that the agent keeps on the device.',
    ),
    needsSerialNumber: true,
  },
  bound('shell', 'disrupts', 'free', 'Run a script.'),
  {
    command: 'document',
    documentName: null,
    // A minimum shown in the catalog. The chosen document determines the actual one.
    consequence: 'reads',
    needsSerialNumber: false,
    group: 'free',
    description: 'Run a document of your choice.',
  },
];

/** Consequences of the documents of the release. */
export const builtinConsequences: Readonly<Record<string, Consequence>> = Object.fromEntries(
  builtinCommands.flatMap(({ documentName, consequence }) =>
    documentName === null ? [] : [[documentName, consequence]],
  ),
);

/** Updates the catalog to the release; entries that it no longer contains are deleted. */
export const loadBuiltinCommands = (deps: { readonly database: Database }): Promise<void> =>
  replaceDefinitions(
    deps.database.orm,
    builtinCommands.map((entry, position) => ({ ...entry, position })),
  );
