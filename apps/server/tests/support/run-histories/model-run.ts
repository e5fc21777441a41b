import type { History } from './history.ts';
import type { ModelDevice } from './model-device.ts';

/** A run of the fixture with the state of the model. */
export interface ModelRun {
  readonly history: History;
  readonly runId: string;
  readonly invocationIds: readonly string[];
  readonly devices: readonly ModelDevice[];
  /** Offset of its time. */
  aheadMs: number;
}
