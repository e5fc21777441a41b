/** Simulated clock commands. */

import { stepClock } from './device-health.ts';
import { complaint, line, type ScriptContext, type SimulatedScript } from './simulated-script.ts';

const SECONDS_IN: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600 };
const relative = /^([+-]?\d{1,6}) (second|minute|hour)s?$/;

/** `date -s '+40 minutes'`: offsets the clock until it is fixed. */
export function* setClock(context: ScriptContext, to: string): SimulatedScript {
  const [, count = '', unit = ''] = relative.exec(to.trim()) ?? [];
  const seconds = Number(count) * (SECONDS_IN[unit] ?? 0);
  if (count === '' || seconds === 0) {
    yield complaint(`date: invalid date ‘${to}’`);
    return 1;
  }
  context.events(stepClock(context.health, seconds));
  yield line(new Date(context.nowMs + context.health.clockOffsetSeconds * 1_000).toUTCString());
  return 0;
}
