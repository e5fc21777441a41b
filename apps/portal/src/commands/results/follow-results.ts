import { focusManager } from '@tanstack/react-query';
import { isFinal, type InvocationState, type RunState } from '@deviceportal/contract/states';
import type { FlashMessage } from '../../ui/flash-store.ts';
import { refreshMs } from '../../live/refresh-policy.ts';

export interface FollowedResult {
  readonly id: string;
  /** Asks once; what it throws counts as "not known yet". */
  readonly ask: () => Promise<InvocationState | RunState>;
  /** The notification for a state; the same id replaces the one before. */
  readonly tell: (state: InvocationState | RunState) => Omit<FlashMessage, 'id'>;
}

interface Surroundings {
  readonly addFlash: (message: FlashMessage) => void;
  readonly removeFlash: (id: string) => void;
}

/** After this long without an answer nobody waits for a notification any more. */
const GIVE_UP_MS = 3_600_000;

const followed = new Map<string, { timer: ReturnType<typeof setTimeout> | undefined }>();

const flashId = (id: string): string => `result-${id}`;

/** Goes on asking for a result whose page was left, and tells of its end. */
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
    // A hidden tab asks for nothing: what has ended meanwhile is told when it is shown again.
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

/** The result is on screen again: its page tells of it. */
export function stopFollowing(
  id: string,
  { removeFlash }: Pick<Surroundings, 'removeFlash'>,
): void {
  clearTimeout(followed.get(id)?.timer);
  followed.delete(id);
  removeFlash(flashId(id));
}
