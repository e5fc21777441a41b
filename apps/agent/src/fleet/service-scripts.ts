/** The built-in documents on the services of a simulated device. */

import type { FaultKind } from './describe-fleet.ts';
import { mend, modelOf } from './device-health.ts';
import { logLines } from './diagnosis-scripts.ts';
import {
  complaint,
  line,
  parameterOf,
  type ScriptContext,
  type SimulatedScript,
} from './simulated-script.ts';

const nameOf = (unit: string): string => unit.replace(/\.service$/, '');

/** Which faults the restart of a service mends. */
function mendedBy(context: ScriptContext, service: string): FaultKind[] | null {
  const own = modelOf(context.plan).service;
  const name = nameOf(service);
  if (name === own) return ['crash', 'memory'];
  if (/^(network|networking|networkmanager|systemd-networkd|modem|modemmanager)$/i.test(name))
    return ['network'];
  if (/^(chrony|chronyd|ntp|ntpd|systemd-timesyncd|time)$/i.test(name)) return ['clock'];
  return /^(ssh|sshd|cron|dbus|rsyslog)$/.test(name) ? [] : null;
}

export function* restartServiceScript(context: ScriptContext): SimulatedScript {
  const service = parameterOf(context, 'service', 'name', 'unit') ?? modelOf(context.plan).service;
  if (/^deviceportal-agent(\.service)?$/.test(service)) {
    yield complaint(`${service} is the agent's own service; use restart/agent. Nothing was done.`);
    return 2;
  }
  if (/\.target$|^(reboot|poweroff|halt|rescue)$/.test(service)) {
    yield complaint(`${service} is no service that can be restarted. Nothing was done.`);
    return 2;
  }
  const mended = mendedBy(context, service);
  if (!mended) {
    yield complaint(`There is no service ${service}`);
    return 5;
  }
  yield line(`restarting ${service} …`, 40);
  context.events(mend(context.health, mended));
  yield line(`${service}: active`, 1_500);
  return 0;
}

export function* serviceStatus(context: ScriptContext): SimulatedScript {
  const { health, plan } = context;
  const asked = nameOf(parameterOf(context, 'service') ?? '');
  if (asked === '') {
    yield line('== failed services', 60);
    const failed = health.crashing;
    yield line(
      failed === null
        ? 'No service has failed.'
        : `${failed}.service loaded failed failed ${failed} of ${plan.name}`,
    );
    return 0;
  }
  if (mendedBy(context, asked) === null) {
    yield complaint(`There is no service ${asked}`);
    return 5;
  }
  const hasFailed = health.crashing === asked;
  yield line(`== ${asked}`, 60);
  yield line('LoadState=loaded');
  yield line(hasFailed ? 'ActiveState=failed' : 'ActiveState=active');
  yield line(hasFailed ? 'SubState=failed' : 'SubState=running');
  yield line(hasFailed ? 'Result=core-dump' : 'Result=success');
  yield line(`NRestarts=${hasFailed ? 37 : 0}`);
  const count = Number(parameterOf(context, 'lines') ?? 20);
  if (count === 0) return 0;
  yield line(`== latest log lines of ${asked}`);
  const own = logLines(context, 4 * count).filter((text) => text.includes(` ${asked}`));
  for (const text of own.slice(-count)) yield line(text);
  return 0;
}
