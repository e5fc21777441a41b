import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchdPropertyList, systemdUnit } from '../../apps/agent/src/service.ts';

export interface AgentArchives {
  readonly version: string;
  /** Signed. */
  readonly bundleFile: string;
  readonly licenseFile: string;
}

interface Platform {
  readonly name: string;
  /** Files for the service manager, by file name. */
  readonly files: Readonly<Record<string, string>>;
}

const systemd = systemdUnit(
  {
    nodePath: '/usr/bin/node',
    programPath: '/var/lib/deviceportal-agent/download/agent.mjs',
    stateDirectory: '/var/lib/deviceportal-agent',
    serialNumber: null,
  },
  'multi-user.target',
);
const launchd = launchdPropertyList({
  nodePath: '/usr/local/bin/node',
  programPath: '/var/db/deviceportal-agent/download/agent.mjs',
  stateDirectory: '/var/db/deviceportal-agent',
  serialNumber: null,
});

/** Windows runs no service that is not made for it: a task that starts with the machine does the same. */
const windowsTask = `# Starts the Device Portal agent with the machine, as SYSTEM, and again where it ends. Run as administrator.
param([string]$Node = (Get-Command node).Source, [string]$StateDirectory = "$env:ProgramData\\DevicePortalAgent")
$ErrorActionPreference = 'Stop'
$program = Join-Path $PSScriptRoot 'agent.mjs'
$arguments = '"{0}" run --service --state-dir "{1}"' -f $program, $StateDirectory
$action = New-ScheduledTaskAction -Execute $Node -Argument $arguments
$trigger = New-ScheduledTaskTrigger -AtStartup
$settings = New-ScheduledTaskSettingsSet -RestartCount 999 -RestartInterval (New-TimeSpan -Minutes 1) -ExecutionTimeLimit ([TimeSpan]::Zero)
$principal = New-ScheduledTaskPrincipal -UserId 'SYSTEM' -RunLevel Highest
Register-ScheduledTask -TaskName 'DevicePortalAgent' -Action $action -Trigger $trigger -Settings $settings -Principal $principal -Force
Start-ScheduledTask -TaskName 'DevicePortalAgent'
`;

const linux = { 'deviceportal-agent.service': systemd };
const platforms: readonly Platform[] = [
  { name: 'linux-x64', files: linux },
  { name: 'linux-arm64', files: linux },
  { name: 'macos', files: { 'com.deviceportal.agent.plist': launchd } },
  { name: 'windows-x64', files: { 'register-task.ps1': windowsTask } },
];

/** One archive per platform: the signed agent, and the files of its service manager. */
export async function archiveAgent(folder: string, agent: AgentArchives): Promise<void> {
  for (const { name, files } of platforms) {
    const scratch = await mkdtemp(join(tmpdir(), 'agent-archive-'));
    try {
      const root = `device-portal-agent-${agent.version}`;
      await mkdir(join(scratch, root));
      await copyFile(agent.bundleFile, join(scratch, root, 'agent.mjs'));
      await copyFile(agent.licenseFile, join(scratch, root, 'LICENSE'));
      for (const [file, text] of Object.entries(files)) {
        await writeFile(join(scratch, root, file), text);
      }
      const archive = join(folder, `device-portal-agent-${agent.version}-${name}.tar.gz`);
      execFileSync('tar', ['-czf', archive, '-C', scratch, root]);
    } finally {
      await rm(scratch, { recursive: true });
    }
  }
}
