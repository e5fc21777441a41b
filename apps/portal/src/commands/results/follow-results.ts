import { focusManager } from '@tanstack/react-query';
import { isFinal, type InvocationState, type RunState } from '@deviceportal/contract/states';
import type { FlashMessage } from '../../ui/flash-store.ts';
import { refreshMs } from '../../live/refresh-policy.ts';

export interface FollowedResult {
  readonly id: string;
  /** Requests the state once. An error counts as “not known yet”. */
  readonly ask: () => Promise<InvocationState | RunState>;
  /** The notification for a state. The same ID replaces the previous one. */
  readonly tell: (state: InvocationState | RunState) => Omit<FlashMessage, 'id'>;
}

interface Surroundings {
  readonly addFlash: (message: FlashMessage) => void;
  readonly removeFlash: (id: string) => void;
}

/** Milliseconds without a response after which polling stops. */
const GIVE_UP_MS = 3_600_000;

const followed = new Map<string, { timer: ReturnType<typeof setTimeout> | undefined }>();

const flashId = (id: string): string => `result-${id}`;

/** Polls a result whose page was left, and reports its end. */
export function followResult(
  result: FollowedResult,
  { addFlash }: Surroundings,
  nowMs: () => number = Date.now,
): void {
  if (followed.has(result.id)) return;
  const entry: { timer: ReturnType<typeof setTimeout> | undefined } = { timer: undefined };
  followed.set(result.id, entry);
  const startedAtMs = nowMs();
  const step = async (): Promise<void> => {
    // A hidden tab does not poll. The end is reported when the tab is shown again.
    const state = focusManager.isFocused() ? await result.ask().catch(() => undefined) : undefined;
    if (followed.get(result.id) !== entry) return;
    if (state !== undefined && isFinal(state)) {
      followed.delete(result.id);
      addFlash({ id: flashId(result.id), ...result.tell(state) });
    } else if (nowMs() - startedAtMs < GIVE_UP_MS) {
      entry.timer = setTimeout(() => void step(), refreshMs.work);
    } else {
      followed.delete(result.id);
    }
  };
  entry.timer = setTimeout(() => void step(), refreshMs.work);
}

/** Stops polling, because the page of the result reports the end. */
export function stopFollowing(
  id: string,
  { removeFlash }: Pick<Surroundings, 'removeFlash'>,
): void {
  clearTimeout(followed.get(id)?.timer);
  followed.delete(id);
  removeFlash(flashId(id));
}
