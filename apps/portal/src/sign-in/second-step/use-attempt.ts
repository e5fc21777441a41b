import { useState } from 'react';

/** Runs one attempt at a time and keeps the result of the last one. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  return {
    busy,
    problem,
    clear: () => setProblem(''),
    /** @returns Whether the attempt succeeded. */
    async run(work: () => Promise<void>): Promise<boolean> {
      if (busy) return false;
      setBusy(true);
      setProblem('');
      try {
        await work();
        return true;
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

export type Attempt = ReturnType<typeof useAttempt>;
