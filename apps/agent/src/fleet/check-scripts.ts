/** Simulations of the pre-check, verification, and undo steps of built-in documents. */

import { activeFaults, compareVersions, modelOf } from './device-health.ts';
import {
  complaint,
  line,
  parameterOf,
  type ScriptContext,
  type SimulatedScript,
} from './simulated-script.ts';

export function* storageVerify(context: ScriptContext): SimulatedScript {
  const used = context.health.diskUsedPercent;
  if (parameterOf(context, 'dryRun') !== 'true' && used >= 95) {
    yield complaint(`still ${used}% used: the files that may be removed were not large enough`);
    return 1;
  }
  yield line(`${used}% used`);
  return 0;
}

export function* processVerify(context: ScriptContext): SimulatedScript {
  const pid = parameterOf(context, 'pid') ?? '';
  if (String(context.health.leak?.pid) === pid) {
    yield complaint(`process ${pid} is still there`);
    return 1;
  }
  yield line(`process ${pid} is gone`);
  return 0;
}

export function* serviceVerify(context: ScriptContext): SimulatedScript {
  const service = parameterOf(context, 'service') ?? '';
  const own = modelOf(context.plan).service;
  // An application that needs a newer version starts and crashes.
  const dies = service === own && activeFaults(context.health).includes('version');
  if (dies || context.health.crashing === service) {
    yield complaint(`${service}: failed some seconds after it started`, 5_000);
    return 1;
  }
  yield line(`${service}: still active`, 5_000);
  return 0;
}

// oxlint-disable-next-line require-yield -- a script without output
export function* configRemember(context: ScriptContext): SimulatedScript {
  const before = context.health.config[parameterOf(context, 'key') ?? ''];
  // A missing value differs from an empty one, which the undo must know.
  if (before !== undefined) context.undoNotes['before'] = before;
  return 0;
}

export function* configVerify(context: ScriptContext): SimulatedScript {
  const key = parameterOf(context, 'key') ?? '';
  const found = context.health.config[key];
  if (found !== parameterOf(context, 'value')) {
    yield complaint(`${key} reads ${found ?? 'nothing'}`);
    return 1;
  }
  yield line(found === undefined ? `${key} is not there` : `${key} reads as it was set`);
  return 0;
}

export function* configUndo(context: ScriptContext): SimulatedScript {
  const key = parameterOf(context, 'key') ?? '';
  const before = context.undoNotes['before'];
  if (context.health.config[key] !== parameterOf(context, 'value')) {
    yield complaint(`${key} was changed since; it is left as it is`);
    return 4;
  }
  if (before === undefined) delete context.health.config[key];
  else context.health.config[key] = before;
  context.events([{ type: 'config-changed', data: { key } }]);
  yield line(before === undefined ? `${key} is removed again` : `${key} is what it was`);
  return 0;
}

export function* installVerify(context: ScriptContext): SimulatedScript {
  const component = parameterOf(context, 'component') ?? '';
  const wanted = parameterOf(context, 'version') ?? '';
  const found = context.health.versions[component];
  if (found === undefined || compareVersions(found, wanted) !== 0) {
    yield complaint(`${component} is at ${found ?? 'no version'}, not at ${wanted}`);
    return 1;
  }
  yield line(`${component} is at ${found}`);
  return 0;
}
