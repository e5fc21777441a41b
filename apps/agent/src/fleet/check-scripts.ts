/** Simulations of the pre-check, verification, and undo steps of built-in documents. */

import { activeFaults, compareVersions, modelOf } from './device-health.ts';
import {
  complaint,
  line,
  parameterOf,
  type ScriptWorld,
  type SimulatedScript,
} from './simulated-script.ts';

export function* storageVerify(world: ScriptWorld): SimulatedScript {
  const used = world.health.diskUsedPercent;
  if (parameterOf(world, 'dryRun') !== 'true' && used >= 95) {
    yield complaint(`still ${used}% used: the files that may be removed were not large enough`);
    return 1;
  }
  yield line(`${used}% used`);
  return 0;
}

export function* processVerify(world: ScriptWorld): SimulatedScript {
  const pid = parameterOf(world, 'pid') ?? '';
  if (String(world.health.leak?.pid) === pid) {
    yield complaint(`process ${pid} is still there`);
    return 1;
  }
  yield line(`process ${pid} is gone`);
  return 0;
}

export function* serviceVerify(world: ScriptWorld): SimulatedScript {
  const service = parameterOf(world, 'service') ?? '';
  const own = modelOf(world.plan).service;
  // An application that needs a newer version starts and crashes.
  const dies = service === own && activeFaults(world.health).includes('version');
  if (dies || world.health.crashing === service) {
    yield complaint(`${service}: failed some seconds after it started`, 5_000);
    return 1;
  }
  yield line(`${service}: still active`, 5_000);
  return 0;
}

// oxlint-disable-next-line require-yield -- a script without output
export function* configRemember(world: ScriptWorld): SimulatedScript {
  const before = world.health.config[parameterOf(world, 'key') ?? ''];
  // A missing value differs from an empty one, which the undo must know.
  if (before !== undefined) world.undoNotes['before'] = before;
  return 0;
}

export function* configVerify(world: ScriptWorld): SimulatedScript {
  const key = parameterOf(world, 'key') ?? '';
  const found = world.health.config[key];
  if (found !== parameterOf(world, 'value')) {
    yield complaint(`${key} reads ${found ?? 'nothing'}`);
    return 1;
  }
  yield line(found === undefined ? `${key} is not there` : `${key} reads as it was set`);
  return 0;
}

export function* configUndo(world: ScriptWorld): SimulatedScript {
  const key = parameterOf(world, 'key') ?? '';
  const before = world.undoNotes['before'];
  if (world.health.config[key] !== parameterOf(world, 'value')) {
    yield complaint(`${key} was changed since; it is left as it is`);
    return 4;
  }
  if (before === undefined) delete world.health.config[key];
  else world.health.config[key] = before;
  world.events([{ type: 'config-changed', data: { key } }]);
  yield line(before === undefined ? `${key} is removed again` : `${key} is what it was`);
  return 0;
}

export function* installVerify(world: ScriptWorld): SimulatedScript {
  const component = parameterOf(world, 'component') ?? '';
  const wanted = parameterOf(world, 'version') ?? '';
  const found = world.health.versions[component];
  if (found === undefined || compareVersions(found, wanted) !== 0) {
    yield complaint(`${component} is at ${found ?? 'no version'}, not at ${wanted}`);
    return 1;
  }
  yield line(`${component} is at ${found}`);
  return 0;
}
