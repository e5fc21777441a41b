import type { StepUpPurpose } from '@deviceportal/contract/step-up';
import { create } from 'zustand';
import type { StepUpWait } from '../api/step-up-link.ts';

const useWaits = create<{ readonly waits: readonly StepUpWait[] }>(() => ({ waits: [] }));

/** Opens the dialog, or adds a call to the open one. */
export function askForStepUp(wait: StepUpWait): () => void {
  useWaits.setState(({ waits }) => ({ waits: [...waits, wait] }));
  return () => useWaits.setState(({ waits }) => ({ waits: waits.filter((each) => each !== wait) }));
}

/** Closes the dialog, and repeats or ends the waiting calls. */
export function endStepUp(outcome: 'confirmed' | 'declined'): void {
  const { waits } = useWaits.getState();
  useWaits.setState({ waits: [] });
  for (const wait of waits) {
    if (outcome === 'confirmed') wait.onConfirmed();
    else wait.onDeclined();
  }
}

/** Why the dialog is open; undefined while it is closed. */
export function useStepUpPurpose(): StepUpPurpose | undefined {
  return useWaits(({ waits }) => waits[0]?.purpose);
}
