/** Simulations of the built-in network documents. */

import { addressOf, describeOffset, gatewayOf } from './device-health.ts';
import { hashText } from './seeded-random.ts';
import {
  complaint,
  line,
  parameterOf,
  type ScriptContext,
  type SimulatedScript,
} from './simulated-script.ts';

export function* networkPing(context: ScriptContext): SimulatedScript {
  const host = parameterOf(context, 'host', 'target', 'address') ?? '1.1.1.1';
  const count = Math.min(60, Number(parameterOf(context, 'count', 'packets') ?? 4) || 4);
  return yield* ping(context, host, count);
}

function* ping(context: ScriptContext, host: string, count: number): SimulatedScript {
  const { health, random } = context;
  yield line(`PING ${host} (${host}) 56(84) bytes of data.`);
  let received = 0;
  const lostAt = health.lossPercent > 0 ? Math.max(2, Math.round(100 / health.lossPercent)) : 0;
  for (let sequence = 1; sequence <= count; sequence += 1) {
    if (lostAt > 0 && sequence % lostAt === 0) continue;
    received += 1;
    const delayMs = (health.lossPercent > 0 ? 180 : 12) + random.next() * 9;
    yield line(
      `64 bytes from ${host}: icmp_seq=${sequence} ttl=56 time=${delayMs.toFixed(1)} ms`,
      sequence === 1 ? 30 : 1_000,
    );
  }
  const loss = Math.round((1 - received / count) * 100);
  yield line('', 20);
  yield line(`--- ${host} ping statistics ---`);
  yield line(`${count} packets transmitted, ${received} received, ${loss}% packet loss`);
  return received > 0 ? 0 : 1;
}

/** A name always has the same address. The device's own name needs no name server. */
function resolve({ plan }: ScriptContext, name: string): string | null {
  if (name === 'localhost') return '127.0.0.1';
  if (name === plan.name) return addressOf(plan);
  if (/^[0-9.]+$/.test(name)) return name;
  if (!/^[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+$/.test(name) || name.endsWith('.invalid')) return null;
  return `203.0.113.${1 + (hashText(name) % 250)}`;
}

export function* networkDns(context: ScriptContext): SimulatedScript {
  const name = parameterOf(context, 'name', 'host', 'domain', 'hostname') ?? 'example.com';
  yield line('== configured name servers', 30);
  yield line(gatewayOf(context.plan));
  yield line(`== addresses of ${name}, as programs on this device get them`);
  return yield* lookUp(context, name);
}

function* lookUp(context: ScriptContext, name: string): SimulatedScript {
  const found = resolve(context, name);
  if (found === null) {
    yield complaint(`${name} does not resolve`, 40);
    return 2;
  }
  yield line(`${found}  ${name}`, context.health.lossPercent > 0 ? 2_400 : 25);
  return 0;
}

export function* networkDiagnose(context: ScriptContext): SimulatedScript {
  const { health, plan } = context;
  const gateway = gatewayOf(plan);
  const troubles: string[] = [];
  yield line('== interfaces', 60);
  yield line(`eth0             UP             ${addressOf(plan)}/24`);
  yield line('== route', 80);
  yield line(`default via ${gateway} dev eth0`);
  yield line('== name servers', 20);
  yield line(`nameserver ${gateway}`);
  yield line('== name resolution', 120);
  const host = parameterOf(context, 'host') ?? 'example.com';
  if ((yield* lookUp(context, host)) !== 0) troubles.push(`${host} does not resolve`);
  yield line('== reachability', 60);
  yield* ping(context, gateway, health.lossPercent > 0 ? 10 : 3);
  if (health.lossPercent > 0) {
    const cure = 'restart the service "networking", or the device';
    troubles.push(`${health.lossPercent} % of packets are lost: ${cure}`);
  }
  yield line('== clock', 40);
  const { clockOffsetSeconds } = health;
  const offset = `not synchronized: ${describeOffset(clockOffsetSeconds)}`;
  yield line(clockOffsetSeconds === 0 ? 'synchronized' : offset);
  if (clockOffsetSeconds !== 0) troubles.push(`the clock is ${offset}: restart "chronyd"`);
  for (const trouble of troubles) yield line(`!! ${trouble}`);
  yield line(
    troubles.length === 0
      ? '== result: no trouble found'
      : `== result: troubles found: ${troubles.length}, marked !! above`,
    20,
  );
  return 0;
}
