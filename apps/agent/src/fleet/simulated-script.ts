/** Output, timing, and exit code of a simulated script. */

import type { ParameterValue } from '@deviceportal/contract/ssm-document';
import type { DevicePlan } from './describe-fleet.ts';
import type { DeviceHealth, HealthEvent } from './device-health.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface SimulatedLine {
  /** Simulated time since the previous line. */
  readonly afterMs: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface SimulatedFile {
  readonly name: string;
  readonly content: string;
}

/** Yields lines; returns the exit code. */
export type SimulatedScript = Generator<SimulatedLine, number>;

export interface ScriptContext {
  readonly invocationId: string;
  /** Data that this command keeps for its undo, or that the undone command kept. */
  readonly undoNotes: Record<string, string>;
  readonly plan: DevicePlan;
  readonly health: DeviceHealth;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly random: SeededRandom;
  readonly nowMs: number;
  readonly uptimeSeconds: number;
  /** Called with events about changes of the device. */
  readonly events: (events: readonly HealthEvent[]) => void;
  readonly collect: (file: SimulatedFile) => void;
  readonly report: (report: unknown) => void;
  readonly reboot: () => void;
}

export const line = (text: string, afterMs = 15): SimulatedLine => ({
  afterMs,
  stream: 'stdout',
  text: `${text}\n`,
});

export const complaint = (text: string, afterMs = 15): SimulatedLine => ({
  afterMs,
  stream: 'stderr',
  text: `${text}\n`,
});

/** The first of these parameters with a value, as named by built-in documents. */
export function parameterOf(
  context: ScriptContext,
  ...names: readonly string[]
): string | undefined {
  for (const name of names) {
    const key = Object.keys(context.parameters).find(
      (candidate) => candidate.toLowerCase() === name.toLowerCase(),
    );
    const value = key === undefined ? undefined : context.parameters[key];
    if (value !== undefined && value !== '' && typeof value !== 'object') return String(value);
  }
  return undefined;
}
