/** Simulations of the built-in documents that change a device. */

import { AGENT_VERSION } from '../agent-version.ts';
import { mend, modelOf } from './device-health.ts';
import {
  complaint,
  line,
  parameterOf,
  type ScriptContext,
  type SimulatedScript,
} from './simulated-script.ts';

export function* storageClean(context: ScriptContext): SimulatedScript {
  const { health, plan } = context;
  const before = health.diskUsedPercent;
  const cache = `/var/cache/${modelOf(plan).service}/*`;
  yield line(`before: ${before}% used`, 40);
  if (parameterOf(context, 'dryRun') === 'true') {
    yield line(`would remove ${cache}`, 300);
    return 0;
  }
  yield line(`removed ${cache}`, 700);
  yield line('removed rotated logs', 300);
  if (before >= 90) context.events(mend(health, ['disk']));
  else health.diskUsedPercent = Math.max(20, before - 4);
  yield line(`after: ${health.diskUsedPercent}% used`, 60);
  return 0;
}

/** Processes of the system and of the agent, which cannot be ended. */
const NEEDED_PIDS: readonly string[] = ['1', '640'];
const SYSTEM_PROCESSES: Readonly<Partial<Record<string, string>>> = {
  '377': 'chronyd',
  '411': 'dhclient',
};

export function* processKill(context: ScriptContext): SimulatedScript {
  const pid = parameterOf(context, 'pid', 'process', 'name') ?? '';
  const { leak } = context.health;
  const { service } = modelOf(context.plan);
  const verb = parameterOf(context, 'force') === 'true' ? 'was killed' : 'ended';
  if (NEEDED_PIDS.includes(pid)) {
    yield complaint(`process ${pid} is needed by the agent or the system and is not ended`);
    return 2;
  }
  if (leak && (pid === String(leak.pid) || pid === leak.name)) {
    context.events(mend(context.health, ['memory']));
    yield line(`process ${leak.pid} (${leak.name}) ${verb}`, 200);
    return 0;
  }
  const name = pid === '812' || pid === service ? service : SYSTEM_PROCESSES[pid];
  if (name === undefined) {
    yield complaint(`there is no process ${pid}`);
    return 3;
  }
  yield line(`process ${pid} (${name}) ${verb}`, 200);
  return 0;
}

export function* restartAgentScript(context: ScriptContext): SimulatedScript {
  context.report({ restart: 'agent' });
  yield line('the agent starts afresh when this command has ended', 50);
  return 0;
}

export function* agentUpdate(context: ScriptContext): SimulatedScript {
  yield line(`agent ${AGENT_VERSION} installed, and started`, 400);
  context.report({ restart: 'agent' });
  return 0;
}

/**
 * As on a real machine: exit code 194 restarts it, and the second execution of the script reports
 * the result.
 */
export function* restartDevice({ health, invocationId }: ScriptContext): SimulatedScript {
  if (health.restartedBy === invocationId) {
    delete health.restartedBy;
    yield line('the device has restarted', 50);
    return 0;
  }
  health.restartedBy = invocationId;
  yield line('restarting …', 50);
  return 194;
}

export function* configSet(context: ScriptContext): SimulatedScript {
  const key = parameterOf(context, 'key', 'name');
  const value = parameterOf(context, 'value');
  if (key === undefined) {
    yield complaint('no key given');
    return 2;
  }
  if (value === undefined) delete context.health.config[key];
  else context.health.config[key] = value;
  context.events([{ type: 'config-changed', data: { key } }]);
  yield line(value === undefined ? `${key} is removed` : `${key} is set`);
  return 0;
}

/**
 * Deletes the configuration and earlier versions, which also ends a crash loop and empties a full
 * cache. The agent restarts.
 */
export function* factoryReset(context: ScriptContext): SimulatedScript {
  context.health.config = {};
  context.health.previousVersions = {};
  yield line('erased the configuration', 500);
  context.events(mend(context.health, ['disk', 'crash', 'memory']));
  yield line('erased the installed components', 1_500);
  context.report({ restart: 'agent' });
  yield line('done; the agent starts afresh', 200);
  return 0;
}
