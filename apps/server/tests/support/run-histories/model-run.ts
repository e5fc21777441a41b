import type { History } from './history.ts';
import type { ModelDevice } from './model-device.ts';

/** A run of the world beside what the model knows of it. */
export interface ModelRun {
  readonly history: History;
  readonly runId: string;
  readonly invocationIds: readonly string[];
  readonly devices: readonly ModelDevice[];
  /** By how much its time has been moved on. */
  aheadMs: number;
}
